package io.github.coppicedb.cli;

import io.github.coppicedb.CorruptionException;
import io.github.coppicedb.DatabaseException;
import io.github.coppicedb.cli.io.CommandException;
import io.github.coppicedb.cli.io.ExitStatus;
import io.github.coppicedb.cli.io.Numbers;
import io.github.coppicedb.cli.io.OutputClosedException;
import io.github.coppicedb.cli.io.Streams;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Tells the user of a failure in one line, and gives the exit status for it. */
final class Failures {
  private static final int MOST_CAUSES = 10;

  private final Streams streams;
  private final TopCommand top;

  Failures(Streams streams, TopCommand top) {
    this.streams = streams;
    this.top = top;
  }

  /** Reports a failed command. */
  int report(Throwable failure) {
    if (failure instanceof OutputClosedException) {
      streams.out().discard();
      return ExitStatus.DONE;
    }
    flushOutput();
    say(message(failure));
    if (top.debug()) {
      explain(failure);
    }
    return failure instanceof CommandException e ? e.status() : ExitStatus.FAILURE;
  }

  private void explain(Throwable failure) {
    Throwable cause = failure;
    for (int depth = 0; cause != null && depth < MOST_CAUSES; depth++) {
      streams.err().println(depth == 0 ? cause : "Caused by: " + cause);
      for (StackTraceElement element : cause.getStackTrace()) {
        streams.err().println("\tat " + element);
      }
      cause = cause.getCause();
    }
  }

  /** Reports a command that was not understood. */
  int reportUsage(ParameterException e) {
    String command = e.getCommandLine().getCommandSpec().qualifiedName();
    say("%s; \"%s --help\" shows the usage".formatted(asClause(usageMessage(e)), command));
    return ExitStatus.USAGE;
  }

  private static String message(Throwable failure) {
    return switch (failure) {
      case CommandException e -> String.valueOf(e.getMessage());
      case CorruptionException e ->
          e.getMessage() + "; \"coppice check\" looks at everything; restore a copy";
      case DatabaseException e -> String.valueOf(e.getMessage());
      case OutOfMemoryError _ ->
          "the heap of %s is full; allow more: COPPICE_JAVA_OPTS=-Xmx4g ./coppice ..."
              .formatted(Numbers.bytes(Runtime.getRuntime().maxMemory()));
      default -> "unexpected %s; --debug shows where, please report it".formatted(failure);
    };
  }

  private static String usageMessage(ParameterException e) {
    CommandLine command = e.getCommandLine();
    return switch (e) {
      case UnmatchedArgumentException unmatched -> unmatchedMessage(unmatched);
      // The option that is not known may well be what is missing: a key that begins with a dash.
      case MissingParameterException missing ->
          command.getUnmatchedArguments().stream()
              .findFirst()
              .map(Failures::unknownOption)
              .orElse(String.valueOf(missing.getMessage()));
      default -> String.valueOf(e.getMessage());
    };
  }

  private static String unmatchedMessage(UnmatchedArgumentException e) {
    String word = e.getUnmatched().getFirst();
    if (e.isUnknownOption()) {
      return unknownOption(word);
    }
    if (e.getCommandLine().getParent() != null) {
      return "unexpected argument '%s'".formatted(word);
    }
    List<String> near =
        e.getSuggestions().stream().filter(name -> word.startsWith(name.substring(0, 1))).toList();
    String hint = near.isEmpty() ? "" : ", did you mean " + String.join(" or ", near) + "?";
    return "there is no command '%s'%s".formatted(word, hint);
  }

  private static String unknownOption(String option) {
    return "unknown option '%s'".formatted(option);
  }

  /** What was printed so far belongs before the message; if it cannot be printed, so be it. */
  private void flushOutput() {
    try {
      streams.out().flush();
    } catch (CommandException | OutputClosedException e) {
      streams.out().discard();
    }
  }

  /** One line, whatever bytes of the user's are in it. */
  private void say(String message) {
    streams.err().println("coppice: " + message.replaceAll("\\p{Cntrl}+", " ").strip());
  }

  private static String asClause(String sentence) {
    String text = sentence.endsWith(".") ? sentence.substring(0, sentence.length() - 1) : sentence;
    return text.isEmpty() ? text : Character.toLowerCase(text.charAt(0)) + text.substring(1);
  }
}
