package io.github.coppicedb;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.CatchTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/** The rules of the sources, as far as they can be counted; {@link TidyTest} runs them. */
final class TidyRules {
  static final int MAX_COLUMNS = 100;
  static final int MAX_METHOD_LINES = 70;
  static final int MAX_FILE_LINES = 600;

  private static final Pattern NOTE_TO_SELF =
      Pattern.compile("\\b(TO" + "DO|FIX" + "ME|XX" + "X)\\b");
  private static final Set<String> SWITCHES_A_TEST_OFF = Set.of("Disabled", "Ignore");

  /** A file of the repository; the path is relative to the root, with slashes. */
  record Source(String path, String text) {
    List<String> lines() {
      return text.lines().toList();
    }

    boolean isJava() {
      return path.endsWith(".java");
    }

    boolean isMain() {
      return path.contains("/src/main/java/");
    }
  }

  /** Files, and methods as {@code path#name}, that may be longer, each with its reason. */
  private final Map<String, String> longOnes;

  private final Set<String> usedExceptions = new TreeSet<>();
  private final List<String> problems = new ArrayList<>();

  TidyRules(Map<String, String> longOnes) {
    this.longOnes = longOnes;
  }

  /** Returns the problems found, one a line. */
  List<String> check(List<Source> sources) {
    for (Source source : sources) {
      checkLines(source);
      if (source.isJava()) {
        checkFileLength(source);
        checkTree(source);
      }
    }
    for (String exception : longOnes.keySet()) {
      if (!usedExceptions.contains(exception)) {
        problems.add(exception + ": is short now, remove the exception");
      }
    }
    return List.copyOf(problems);
  }

  private void checkLines(Source source) {
    List<String> lines = source.lines();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (source.isJava() && line.length() > MAX_COLUMNS && !mayBeWide(line)) {
        report(source, i + 1, "wider than " + MAX_COLUMNS + " columns");
      }
      if (line.indexOf('\t') >= 0) {
        report(source, i + 1, "a tab");
      }
      if (line.endsWith(" ")) {
        report(source, i + 1, "a space at the end");
      }
      if (NOTE_TO_SELF.matcher(line).find()) {
        report(source, i + 1, "a note to self; open an issue instead");
      }
    }
  }

  private static boolean mayBeWide(String line) {
    return line.startsWith("import ") || line.contains("://");
  }

  private void checkFileLength(Source source) {
    int lines = source.lines().size();
    if (source.isMain() && lines > MAX_FILE_LINES && !isException(source.path())) {
      report(source, 1, lines + " lines, the limit is " + MAX_FILE_LINES);
    }
  }

  private boolean isException(String name) {
    if (longOnes.containsKey(name)) {
      usedExceptions.add(name);
      return true;
    }
    return false;
  }

  private void report(Source source, long line, String what) {
    problems.add(source.path() + ":" + line + ": " + what);
  }

  private void checkTree(Source source) {
    JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler());
    JavacTask task =
        (JavacTask)
            compiler.getTask(
                null, null, null, List.of("-proc:none"), null, List.of(new Text(source)));
    SourcePositions positions = Trees.instance(task).getSourcePositions();
    try {
      for (CompilationUnitTree unit : task.parse()) {
        new Walk(source, unit, positions).scan(unit, null);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The rules that need more than a line. */
  private final class Walk extends TreeScanner<@Nullable Void, @Nullable Void> {
    private final Source source;
    private final CompilationUnitTree unit;
    private final SourcePositions positions;
    private final LineMap lineMap;
    private final List<String> lines;

    Walk(Source source, CompilationUnitTree unit, SourcePositions positions) {
      this.source = source;
      this.unit = unit;
      this.positions = positions;
      this.lineMap = unit.getLineMap();
      this.lines = source.lines();
    }

    @Override
    public @Nullable Void visitMethod(MethodTree method, @Nullable Void unused) {
      int length = lineOf(end(method)) - lineOf(start(method)) + 1;
      if (source.isMain()
          && length > MAX_METHOD_LINES
          && !isException(source.path() + "#" + method.getName())) {
        report(
            source,
            lineOf(start(method)),
            method.getName() + " has " + length + " lines, the limit is " + MAX_METHOD_LINES);
      }
      return super.visitMethod(method, null);
    }

    @Override
    public @Nullable Void visitCatch(CatchTree clause, @Nullable Void unused) {
      int open = Math.toIntExact(start(clause.getBlock())) + 1;
      int close = Math.toIntExact(end(clause.getBlock())) - 1;
      if (source.text().substring(open, close).isBlank()) {
        report(source, lineOf(open), "an empty catch block without a reason");
      }
      return super.visitCatch(clause, null);
    }

    @Override
    public @Nullable Void visitMemberSelect(MemberSelectTree select, @Nullable Void unused) {
      if (select.getIdentifier().contentEquals("printStackTrace")) {
        report(source, lineOf(start(select)), "printStackTrace");
      }
      return super.visitMemberSelect(select, null);
    }

    @Override
    public @Nullable Void visitAnnotation(AnnotationTree annotation, @Nullable Void unused) {
      String type = annotation.getAnnotationType().toString();
      String name = type.substring(type.lastIndexOf('.') + 1);
      int line = lineOf(start(annotation));
      if (SWITCHES_A_TEST_OFF.contains(name)) {
        report(source, line, "a test is switched off");
      }
      if (name.equals("SuppressWarnings") && !hasComment(line) && !hasComment(line - 1)) {
        report(source, line, "SuppressWarnings without a reason on its line or the one before");
      }
      return super.visitAnnotation(annotation, null);
    }

    private boolean hasComment(int line) {
      String text = line < 1 ? "" : lines.get(line - 1).strip();
      return text.contains("//") || text.startsWith("*") || text.startsWith("/*");
    }

    private long start(Tree tree) {
      return positions.getStartPosition(unit, tree);
    }

    private long end(Tree tree) {
      return positions.getEndPosition(unit, tree);
    }

    private int lineOf(long position) {
      return Math.toIntExact(lineMap.getLineNumber(position));
    }
  }

  /** A source in memory, as the compiler wants it. */
  private static final class Text extends SimpleJavaFileObject {
    private final String text;

    Text(Source source) {
      super(URI.create("text:///" + source.path()), Kind.SOURCE);
      this.text = source.text();
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }
}
