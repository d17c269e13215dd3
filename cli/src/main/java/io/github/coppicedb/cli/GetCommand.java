package io.github.coppicedb.cli;

import io.github.coppicedb.Database;
import io.github.coppicedb.Snapshot;
import io.github.coppicedb.Table;
import io.github.coppicedb.cli.io.CommandException;
import io.github.coppicedb.cli.io.ExitStatus;
import io.github.coppicedb.cli.io.Json;
import io.github.coppicedb.cli.io.Streams;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Prints one value. */
@Command(name = "get", description = "Print the value of a key.")
final class GetCommand implements Callable<Integer> {
  private final Streams streams;

  @Mixin private final TableArgument table = new TableArgument();
  @Mixin private final BytesOption format = new BytesOption();
  @Mixin private final JsonOption json = new JsonOption();

  @Parameters(index = "2", paramLabel = "KEY", description = "The key.")
  private String key = "";

  GetCommand(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() {
    byte[] wanted = format.key("KEY", key);
    try (Database open = table.database().open();
        Snapshot snapshot = open.snapshot()) {
      Table from = table.find(open);
      // Not copied: a value can be larger than the heap.
      MemorySegment value = snapshot.getSegment(from, MemorySegment.ofArray(wanted));
      if (json.isJson()) {
        Json result = new Json().put("key", wanted, format.isHex()).put("found", value != null);
        if (value != null) {
          result.put("value", value.toArray(ValueLayout.JAVA_BYTE), format.isHex());
        }
        streams.out().line(result.toString());
        return value == null ? ExitStatus.NEGATIVE : ExitStatus.DONE;
      }
      if (value == null) {
        throw CommandException.negative("there is no such key");
      }
      format.print(streams.out(), value);
      streams.out().write('\n');
      return ExitStatus.DONE;
    }
  }
}
