package io.github.coppicedb.verify;

import io.github.coppicedb.Database;
import io.github.coppicedb.DatabaseOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Transfers in eight threads, and sums in two more, until it is killed or the time is over. Prints
 * a line for each sum that is wrong. Arguments: directory, seed, milliseconds.
 */
final class TransferMain {
  private static final int WRITERS = 8;
  private static final int READERS = 2;

  private TransferMain() {}

  public static void main(String[] arguments) throws InterruptedException {
    SplittableRandom random = new SplittableRandom(Long.parseLong(arguments[1]));
    long end = System.nanoTime() + Long.parseLong(arguments[2]) * 1_000_000;
    DatabaseOptions options = DatabaseOptions.defaults().withMemoryBudget(1 << 20);
    try (Database database = Database.open(Path.of(arguments[0]), options)) {
      run(Bank.of(database), random, end).forEach(System.out::println);
    }
  }

  /** Runs the threads to their end; returns what went wrong. */
  static List<String> run(Bank bank, SplittableRandom random, long end)
      throws InterruptedException {
    List<String> problems = java.util.Collections.synchronizedList(new ArrayList<>());
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < WRITERS + READERS; i++) {
      SplittableRandom own = random.split();
      Runnable turn = i < WRITERS ? () -> bank.transfer(own) : () -> checkSum(bank, problems);
      threads.add(Thread.ofPlatform().start(() -> repeat(turn, end, problems)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    return problems;
  }

  private static void repeat(Runnable turn, long end, List<String> problems) {
    try {
      while (System.nanoTime() < end) {
        turn.run();
      }
    } catch (RuntimeException e) {
      problems.add(e.toString());
    }
  }

  private static void checkSum(Bank bank, List<String> problems) {
    long sum = bank.sum();
    if (sum != Bank.SUM) {
      problems.add("the sum is %d, not %d".formatted(sum, Bank.SUM));
    }
  }
}
