package io.github.coppicedb.bench.inserts;

import io.github.coppicedb.bench.run.NamedValues;
import java.io.PrintStream;
import java.util.Arrays;

/** The child's side: one run, told in lines of a name and a number. */
public final class InsertsMain {
  private InsertsMain() {}

  /** Returns whether the arguments are those of a child. */
  public static boolean isChild(String[] args) {
    return args.length == 1 + InsertsTask.ARGUMENTS && args[0].equals(InsertsTask.CHILD);
  }

  /** Runs what the arguments say. */
  public static void run(String[] args, PrintStream out) throws Exception {
    InsertsTask task = InsertsTask.of(Arrays.asList(args).subList(1, args.length));
    NamedValues.print(task.run(), out);
  }
}
