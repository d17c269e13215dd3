package io.github.coppicedb.cli.io;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

final class NumbersTest {
  @Test
  void bytesHaveDecimalUnits() {
    assertEquals("0 B", Numbers.bytes(0));
    assertEquals("999 B", Numbers.bytes(999));
    assertEquals("1.0 kB", Numbers.bytes(1000));
    assertEquals("999.9 kB", Numbers.bytes(999_900));
    assertEquals("1.0 MB", Numbers.bytes(999_999));
    assertEquals("103.4 MB", Numbers.bytes(103_400_000));
    assertEquals("9223.4 PB", Numbers.bytes(Long.MAX_VALUE));
  }

  @Test
  void countsAndRates() {
    assertEquals("4,194,304", Numbers.count(4_194_304));
    assertEquals(2_000_000.0, Numbers.rate(1_000_000, 500_000_000));
    assertEquals(0.0, Numbers.rate(5, 0));
    assertEquals("2.5", Numbers.perEntry(5, 2));
    assertEquals("-", Numbers.perEntry(5, 0));
  }
}
