package io.github.coppicedb.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Compares docs/file-format.md with the constants of this package. A row of a table whose last cell
 * is {@code `Class.CONSTANT`} has the constant's value in its first cell. A class that has one row
 * has a row for each of its public constants, and rows with a number of bytes leave no gap.
 */
class FileFormatDocTest {
  private static final Pattern CONSTANT = Pattern.compile("`(\\w+)\\.(\\w+)`");

  private final List<Row> rows = readRows();

  /** A row of a table; {@code followsRow} when the line before it is a row of the same table. */
  private record Row(int line, List<String> cells, String type, String name, boolean followsRow) {}

  private static List<Row> readRows() {
    List<Row> rows = new ArrayList<>();
    List<String> lines = readDocument();
    boolean followsRow = false;
    for (int i = 0; i < lines.size(); i++) {
      Row row = row(i + 1, lines.get(i), followsRow);
      followsRow = row != null;
      if (row != null) {
        rows.add(row);
      }
    }
    return rows;
  }

  private static @Nullable Row row(int line, String text, boolean followsRow) {
    if (!text.startsWith("|")) {
      return null;
    }
    List<String> cells = Arrays.stream(text.split("\\|", -1)).map(String::strip).toList();
    Matcher constant = CONSTANT.matcher(cells.get(cells.size() - 2));
    if (!constant.matches()) {
      return null;
    }
    List<String> inner = cells.subList(1, cells.size() - 1);
    return new Row(line, inner, constant.group(1), constant.group(2), followsRow);
  }

  private static List<String> readDocument() {
    try {
      for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
        Path document = at.resolve("docs/file-format.md");
        if (Files.exists(document)) {
          return Files.readAllLines(document);
        }
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    throw new AssertionError("docs/file-format.md is missing");
  }

  @Test
  void everyRowHasTheValueOfItsConstant() throws ReflectiveOperationException {
    for (Row row : rows) {
      Object value = value(row.type, row.name);
      assertTrue(matches(row.cells.getFirst(), value), row + " but the constant is " + value);
    }
  }

  private static Object value(String type, String name) throws ReflectiveOperationException {
    Object value = typeNamed(type).getField(name).get(null);
    assertNotNull(value);
    return value;
  }

  private static Class<?> typeNamed(String name) throws ClassNotFoundException {
    return Class.forName(FileFormatDocTest.class.getPackageName() + "." + name);
  }

  private static boolean matches(String cell, Object value) {
    if (value instanceof String text) {
      return cell.equals("`" + text + "`");
    }
    String plain = cell.replace("`", "");
    long number = ((Number) value).longValue();
    if (plain.startsWith("0x")) {
      return Long.parseUnsignedLong(plain, 2, plain.length(), 16) == number;
    }
    return plain.equals(Long.toString(number));
  }

  @Test
  void rowsWithBytesLeaveNoGap() {
    int checked = 0;
    for (int i = 1; i < rows.size(); i++) {
      Row before = rows.get(i - 1);
      Row row = rows.get(i);
      if (row.followsRow && before.cells.size() == 4 && !before.cells.get(1).isEmpty()) {
        long end = number(before.cells.get(0)) + number(before.cells.get(1));
        assertEquals(end, number(row.cells.get(0)), row.toString());
        checked++;
      }
    }
    assertTrue(checked >= 15, "rows with bytes: " + checked);
  }

  private static long number(String cell) {
    return Long.parseLong(cell.replace("`", ""));
  }

  @Test
  void everyConstantOfAClassInTheDocumentIsThere() throws ReflectiveOperationException {
    Set<String> types = new TreeSet<>();
    Set<String> told = new TreeSet<>();
    for (Row row : rows) {
      types.add(row.type);
      told.add(row.type + "." + row.name);
    }
    assertTrue(
        types.containsAll(
            Set.of(
                "FileHead",
                "FileNames",
                "LogFormat",
                "ManifestFormat",
                "PackedPage",
                "TreeFileFormat")));
    Set<String> constants = new TreeSet<>();
    for (String type : types) {
      for (Field field : typeNamed(type).getFields()) {
        if (Modifier.isStatic(field.getModifiers())) {
          constants.add(type + "." + field.getName());
        }
      }
    }
    assertEquals(constants, told);
  }

  @Test
  void aWrongNumberWouldBeFound() {
    assertTrue(matches("`LOCK`", "LOCK"));
    assertNotEquals(true, matches("`LOCK`", "LOOK"));
    assertTrue(matches("0xFFFFFFFFFFFFFFFF", -1L));
    assertNotEquals(true, matches("0x10", 10));
    assertTrue(matches("`10`", 10));
    assertNotEquals(true, matches("10", 11));
    assertTrue(matches("2", (byte) 2));
  }
}
