package io.github.coppicedb;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.github.coppicedb.log.PlantedViolations;
import java.io.File;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * The floors of the core: a class uses its own package, the floors below it, and the vocabulary.
 * Every rule also runs over {@link PlantedViolations}, where it must find something: so no rule
 * holds because it sees nothing.
 */
final class ArchitectureTest {
  private static final String ROOT = "io.github.coppicedb";

  /** The classes of the root package that stand on top of the engine. */
  private static final Set<String> FACADE =
      Set.of(
          "Database",
          "Table",
          "Snapshot",
          "WriteTransaction",
          "Cursor",
          "Savepoint",
          "ReadView",
          "Reader",
          "Arguments");

  private static final int FACADE_HEIGHT = 9;

  /** The sub-packages; two of one height may not use each other. */
  private static final Map<String, Integer> HEIGHTS =
      Map.of(
          "engine", 8,
          "tx", 7,
          "lsm", 6,
          "top", 5,
          "tree", 4,
          "page", 3,
          "log", 3,
          "storage", 2,
          "format", 1);

  /** The other classes of the root package: words that all floors share. */
  private static final int VOCABULARY_HEIGHT = 0;

  private static final JavaClasses MAIN =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(ROOT);

  private static final JavaClasses PLANTED =
      new ClassFileImporter()
          .importPackagesOf(PlantedViolations.class)
          .that(belongToAnyOf(PlantedViolations.class));

  @Test
  void theClassesAreFound() {
    assertTrue(MAIN.contain(DatabaseException.class));
    assertTrue(MAIN.contain(ROOT + ".format.Bytes"));
    assertFalse(MAIN.contain(PlantedViolations.class));
    assertEquals(2, PLANTED.size());
  }

  @Test
  void usesGoDownOnly() {
    List<String> wrong = upwardUses(MAIN);
    assertTrue(wrong.isEmpty(), () -> String.join("\n", wrong));
    assertFalse(upwardUses(PLANTED).isEmpty(), "a planted violation is not seen");
  }

  @Test
  void onlyFormatKnowsTheLayoutOfNumbers() {
    check(
        noClasses()
            .that(resideOutside("format"))
            .should()
            .dependOnClassesThat(belongToAnyOf(ValueLayout.class))
            .because("the layout of a file is known in one place"));
    check(
        noClasses()
            .that(resideOutside("format"))
            .should()
            .callMethodWhere(
                DescribedPredicate.describe("it makes a byte view", ArchitectureTest::isByteView)));
  }

  @Test
  void onlyStorageTouchesFilesAndArenas() {
    check(
        noClasses()
            .that(resideOutside("storage"))
            .should()
            .dependOnClassesThat(
                resideInAPackage("java.nio.channels..")
                    .or(
                        belongToAnyOf(
                            Arena.class, Files.class, File.class, RandomAccessFile.class)))
            .because("tests replace the storage, and mapped memory is freed in one place"));
  }

  @Test
  void noUnsafeAndNoReflection() {
    check(
        noClasses()
            .should()
            .dependOnClassesThat(
                resideInAnyPackage("sun..", "com.sun..", "jdk..", "java.lang.reflect..")));
  }

  @Test
  void nothingIsPrinted() {
    check(
        noClasses()
            .should()
            .accessField(System.class, "out")
            .orShould()
            .accessField(System.class, "err"));
  }

  @Test
  void noStaticStateThatChanges() {
    check(fields().that().areStatic().should().beFinal());
  }

  private static void check(ArchRule rule) {
    rule.check(MAIN);
    assertTrue(rule.evaluate(PLANTED).hasViolation(), "a planted violation is not seen");
  }

  private static List<String> upwardUses(JavaClasses classes) {
    List<String> wrong = new ArrayList<>();
    for (JavaClass from : classes) {
      for (Dependency use : from.getDirectDependenciesFromSelf()) {
        JavaClass to = use.getTargetClass().getBaseComponentType();
        if (isOurs(to) && !mayUse(from, to)) {
          wrong.add(use.getDescription());
        }
      }
    }
    return wrong;
  }

  private static boolean isOurs(JavaClass type) {
    return (type.getPackageName() + ".").startsWith(ROOT + ".");
  }

  private static boolean mayUse(JavaClass from, JavaClass to) {
    boolean samePackage = from.getPackageName().equals(to.getPackageName());
    return height(to) < height(from) || (height(to) == height(from) && samePackage);
  }

  private static int height(JavaClass type) {
    if (type.getPackageName().equals(ROOT)) {
      return FACADE.contains(topLevelName(type)) ? FACADE_HEIGHT : VOCABULARY_HEIGHT;
    }
    Integer height = HEIGHTS.get(type.getPackageName().substring(ROOT.length() + 1));
    if (height == null) {
      throw new AssertionError("the package " + type.getPackageName() + " is on no floor");
    }
    return height;
  }

  private static String topLevelName(JavaClass type) {
    String name = type.getName().substring(type.getPackageName().length() + 1);
    int nested = name.indexOf('$');
    return nested < 0 ? name : name.substring(0, nested);
  }

  private static boolean isByteView(JavaCall<?> call) {
    return call.getTargetOwner().isEquivalentTo(MethodHandles.class)
        && call.getName().endsWith("ViewVarHandle");
  }

  private static DescribedPredicate<JavaClass> resideOutside(String floor) {
    return DescribedPredicate.not(resideInAPackage(ROOT + "." + floor));
  }
}
