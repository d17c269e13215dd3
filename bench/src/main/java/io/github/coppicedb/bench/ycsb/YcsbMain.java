package io.github.coppicedb.bench.ycsb;

import io.github.coppicedb.bench.run.NamedValues;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;

/** The child's side: one run, told in lines of a name and a number. */
public final class YcsbMain {
  /** The first argument of a child's command line. */
  static final String CHILD = "ycsb-child";

  private YcsbMain() {}

  /** Returns whether the arguments are those of a child. */
  public static boolean isChild(String[] args) {
    return args.length == 1 + YcsbTask.ARGUMENTS && args[0].equals(CHILD);
  }

  /** Runs what the arguments say. */
  public static void run(String[] args, PrintStream out) throws Exception {
    List<String> arguments = Arrays.asList(args).subList(1, args.length);
    NamedValues.print(YcsbTask.of(arguments).run(), out);
  }
}
