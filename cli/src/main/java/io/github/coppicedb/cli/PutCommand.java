package io.github.coppicedb.cli;

import io.github.coppicedb.Database;
import io.github.coppicedb.Table;
import io.github.coppicedb.cli.io.ExitStatus;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Stores one value. */
@Command(
    name = "put",
    description = {"Store a value under a key.", "Database and table are made if need be."})
final class PutCommand implements Callable<Integer> {
  @Mixin private final TableArgument table = new TableArgument();
  @Mixin private final BytesOption format = new BytesOption();
  @Mixin private final DurabilityOption durability = new DurabilityOption();

  @Parameters(index = "2", paramLabel = "KEY", description = "The key.")
  private String key = "";

  @Parameters(index = "3", paramLabel = "VALUE", description = "The value.")
  private String value = "";

  @Override
  public Integer call() {
    byte[] keyBytes = format.key("KEY", key);
    byte[] valueBytes = format.bytes("VALUE", value);
    try (Database open = table.database().openOrCreate(durability.level())) {
      Table into = table.findOrCreate(open);
      open.write(tx -> tx.put(into, keyBytes, valueBytes));
    }
    return ExitStatus.DONE;
  }
}
