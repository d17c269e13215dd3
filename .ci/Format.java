import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/**
 * Checks the format of every Java file, or rewrites the files; run by Maven on the build's JDK.
 *
 * <p>The formatter reads Java with the compiler of the JDK it runs on. Maven may run on an older
 * Java that cannot parse these sources, so the format plugins, which run inside Maven, do not work.
 *
 * <p>Arguments: {@code check} or {@code write}, then the root folder.
 */
final class Format {
  private static final int SUCCESS = 0;

  private Format() {}

  public static void main(String[] args) throws IOException {
    boolean write = args[0].equals("write");
    List<String> command = new ArrayList<>();
    command.addAll(write ? List.of("--replace") : List.of("--dry-run", "--set-exit-if-changed"));
    command.addAll(sources(Path.of(args[1])));
    ToolProvider formatter = ToolProvider.findFirst("google-java-format").orElseThrow();
    int result = formatter.run(System.out, System.err, command.toArray(String[]::new));
    if (result != SUCCESS) {
      System.err.println("The files above are not formatted. To format them:");
      System.err.println("  mvn -N -q validate -Dformat=write");
    }
    System.exit(result);
  }

  private static List<String> sources(Path root) throws IOException {
    List<String> found = new ArrayList<>();
    found.add(root.resolve(".ci/Format.java").toString());
    try (Stream<Path> modules = Files.list(root)) {
      for (Path source : modules.map(m -> m.resolve("src")).filter(Files::isDirectory).toList()) {
        try (Stream<Path> files = Files.walk(source)) {
          files.map(Path::toString).filter(f -> f.endsWith(".java")).forEach(found::add);
        }
      }
    }
    return found;
  }
}
