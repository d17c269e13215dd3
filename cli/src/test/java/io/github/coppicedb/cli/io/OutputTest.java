package io.github.coppicedb.cli.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class OutputTest {
  @Test
  void writesAllBytesInOrder() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    ByteArrayOutputStream target = new ByteArrayOutputStream();
    try (Output out = new Output(target, false)) {
      for (int i = 0; i < 200; i++) {
        byte[] bytes = new byte[random.nextInt(i % 20 == 0 ? 200_000 : 2_000)];
        random.nextBytes(bytes);
        expected.writeBytes(bytes);
        expected.write(i);
        if (random.nextBoolean()) {
          out.write(bytes);
        } else {
          out.write(MemorySegment.ofArray(bytes));
        }
        out.write(i);
      }
      out.line("ü");
      expected.writeBytes(new byte[] {(byte) 0xC3, (byte) 0xBC, '\n'});
    }
    assertArrayEquals(expected.toByteArray(), target.toByteArray(), "seed " + seed);
  }

  @Test
  void aFailureIsTold() {
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int one) throws IOException {
            throw new IOException("No space left on device");
          }
        };
    Output file = new Output(full, false);
    file.write(1);
    CommandException e = assertThrows(CommandException.class, file::flush);
    assertEquals("cannot write to the standard output: No space left on device", e.getMessage());
    Output pipe = new Output(full, true);
    pipe.write(1);
    assertThrows(OutputClosedException.class, pipe::flush);
    pipe.write(1);
    pipe.discard();
    pipe.flush();
  }
}
