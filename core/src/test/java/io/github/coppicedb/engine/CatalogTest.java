package io.github.coppicedb.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.ConflictException;
import io.github.coppicedb.CorruptionException;
import io.github.coppicedb.DatabaseOptions;
import io.github.coppicedb.lsm.Tuning;
import io.github.coppicedb.storage.MemoryStorage;
import io.github.coppicedb.tree.EntryValue;
import io.github.coppicedb.tx.KeySpace;
import io.github.coppicedb.tx.ReadSnapshot;
import io.github.coppicedb.tx.Transaction;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Names of tables and their numbers, inside transactions and behind them. */
final class CatalogTest {
  private static final byte[] EMPTY = {};

  private final Engine engine =
      Engine.open(
          new MemoryStorage(), DatabaseOptions.defaults().withMergeThreads(0), Tuning.tiny());

  @AfterEach
  void close() {
    engine.close();
  }

  private void commit(Consumer<Transaction> work) {
    Transaction transaction = engine.begin();
    try {
      work.accept(transaction);
      transaction.commit();
    } finally {
      transaction.rollback();
    }
  }

  private List<String> names() {
    try (ReadSnapshot snapshot = engine.snapshot()) {
      return Catalog.names(snapshot);
    }
  }

  private OptionalInt find(String name) {
    try (ReadSnapshot snapshot = engine.snapshot()) {
      return Catalog.find(snapshot, name);
    }
  }

  private static void put(Transaction transaction, byte[] key) {
    transaction.put(key, key.length, MemorySegment.ofArray(EMPTY));
  }

  private boolean contains(byte[] key) {
    try (ReadSnapshot snapshot = engine.snapshot()) {
      return snapshot.find(key, key.length, new EntryValue());
    }
  }

  @Test
  void anEmptyCatalogHasNoTables() {
    assertEquals(List.of(), names());
    assertEquals(OptionalInt.empty(), find(""));
  }

  @Test
  void aTableIsSeenByItsTransactionAndByOthersOnceItIsCommitted() {
    Transaction transaction = engine.begin();
    assertEquals(1, Catalog.create(transaction, "a"));
    assertEquals(OptionalInt.of(1), Catalog.find(transaction, "a"));
    assertEquals(List.of("a"), Catalog.names(transaction));
    assertEquals(List.of(), names());
    transaction.commit();
    assertEquals(List.of("a"), names());
    assertEquals(OptionalInt.of(1), find("a"));
    assertEquals(OptionalInt.empty(), find("A"));
  }

  @Test
  void aTableThatWasRolledBackHasNeverBeen() {
    Transaction transaction = engine.begin();
    Catalog.create(transaction, "a");
    transaction.rollback();
    assertEquals(List.of(), names());
    commit(tx -> assertEquals(1, Catalog.create(tx, "b")));
  }

  @Test
  void namesComeInTheOrderOfTheirBytes() {
    List<String> all = List.of("", "\0", "A", "a", "a\0", "aa", "ä", "\uFFFD", "\uD83C\uDF33");
    List<String> shuffled = new ArrayList<>(all);
    java.util.Collections.shuffle(shuffled, new Random(1));
    commit(tx -> shuffled.forEach(name -> Catalog.create(tx, name)));
    assertEquals(all, names());
  }

  @Test
  void aDropTakesAllKeysOfTheTableAndNoOthers() {
    commit(
        tx -> {
          for (String name : List.of("a", "b", "c")) {
            KeySpace keys = KeySpace.of(Catalog.create(tx, name));
            put(tx, keys.low());
            put(tx, keys.key(new byte[] {-1, -1, -1, -1, -1}));
          }
        });
    engine.drain();
    commit(tx -> Catalog.drop(tx, "b", 2));
    assertEquals(List.of("a", "c"), names());
    assertEquals(OptionalInt.empty(), find("b"));
    for (int number = 1; number <= 3; number++) {
      assertEquals(number != 2, contains(KeySpace.of(number).low()));
      assertEquals(number != 2, contains(KeySpace.of(number).key(new byte[] {-1, -1, -1, -1, -1})));
    }
  }

  @Test
  void aNameGetsAnotherNumberAfterADrop() {
    commit(tx -> Catalog.create(tx, "a"));
    commit(tx -> Catalog.drop(tx, "a", 1));
    commit(tx -> assertEquals(2, Catalog.create(tx, "a")));
    assertEquals(OptionalInt.of(2), find("a"));
  }

  @Test
  void twoTablesMadeAtOnceDoNotGetOneNumber() {
    Transaction first = engine.begin();
    Transaction second = engine.begin();
    Catalog.create(first, "a");
    Catalog.create(second, "b");
    first.commit();
    assertThrows(ConflictException.class, second::commit);
  }

  @Test
  void aNumberOfAnotherLengthIsDamage() {
    byte[] key = KeySpace.of(0).key("na".getBytes(StandardCharsets.UTF_8));
    commit(tx -> put(tx, key));
    assertThrows(CorruptionException.class, () -> find("a"));
  }

  /** Random tables come and go, through drains, against a map. */
  @RepeatedTest(5)
  void answersAsAMap() {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    TreeMap<String, Integer> model =
        new TreeMap<>(
            Comparator.comparing(
                name -> name.getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned));
    Set<Integer> given = new HashSet<>();
    for (int i = 0; i < 300; i++) {
      String name = name(random);
      Integer known = model.get(name);
      if (random.nextInt(3) == 0) {
        Transaction undone = engine.begin();
        Catalog.create(undone, name + "!");
        undone.rollback();
      } else if (known != null) {
        commit(tx -> Catalog.drop(tx, name, known));
        model.remove(name);
      } else {
        commit(tx -> model.put(name, Catalog.create(tx, name)));
        assertTrue(given.add(model.get(name)));
      }
      if (random.nextInt(20) == 0) {
        engine.drain();
      }
      assertEquals(List.copyOf(model.keySet()), names());
      String other = name(random);
      OptionalInt number = find(other);
      assertEquals(model.containsKey(other), number.isPresent());
      number.ifPresent(found -> assertEquals(model.get(other), found));
    }
    assertFalse(given.contains(0));
  }

  private static String name(Random random) {
    StringBuilder name = new StringBuilder();
    for (int i = random.nextInt(3); i > 0; i--) {
      name.append("az\u00e4\u4e00".charAt(random.nextInt(4)));
    }
    return name.toString();
  }
}
