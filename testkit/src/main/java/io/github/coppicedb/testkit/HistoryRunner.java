package io.github.coppicedb.testkit;

import io.github.coppicedb.ConflictException;
import io.github.coppicedb.Database;
import io.github.coppicedb.Durability;
import io.github.coppicedb.Snapshot;
import io.github.coppicedb.StorageFailureException;
import io.github.coppicedb.Table;
import io.github.coppicedb.TestDatabases;
import io.github.coppicedb.WriteTransaction;
import java.util.HashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Runs a history against a database on simulated storage and compares every answer with the model.
 * All content is compared after every open. At the end the database is checked, closed, opened,
 * compared and closed again, and no file may be left open.
 */
public final class HistoryRunner {
  // How much heap an epoch takes at most, besides what was changed in it since a transaction began.
  private static final int EPOCH_OVERHEAD = 1024;
  private static final int TRACE_PER_TOP_BYTE = 8;
  // At the level at which large commits stay in heap: the part of the budget that history may have
  // in any case, and the least budget of which it has any.
  private static final int HISTORY_PART = 16;
  private static final int PRECISE_BUDGET = 1 << 18;

  private final Settings settings;
  private final Model model;
  private final Map<String, OpenView> views = new HashMap<>();
  private final Map<Integer, Table> tables = new HashMap<>();
  private SimulatedStorage storage = new SimulatedStorage();
  private Database database;
  private boolean armed;
  private long armedSeed;
  private int crashes;

  private HistoryRunner(Settings settings) {
    this.settings = settings;
    this.model = new Model(settings.durability());
    this.database = openDatabase();
    model.allDurable();
  }

  /**
   * Runs a history; throws {@link HistoryFailure} at the first difference.
   *
   * @return how often the database crashed
   */
  public static int run(History history) {
    HistoryRunner runner = new HistoryRunner(history.settings());
    int done = 0;
    try {
      for (Step step : history.steps()) {
        runner.perform(step);
        done++;
      }
      runner.finish();
      return runner.crashes;
    } catch (RuntimeException | AssertionError e) {
      List<Step> steps = history.steps();
      String where = done < steps.size() ? steps.get(done).toString() : "the end";
      HistoryFailure failure =
          new HistoryFailure("step %d, %s: %s".formatted(done + 1, where, e), e);
      runner.abandonAfter(failure);
      throw failure;
    }
  }

  /** Returns whether a history fails. */
  public static boolean fails(History history) {
    try {
      run(history);
      return false;
    } catch (HistoryFailure e) {
      return true;
    }
  }

  private void perform(Step step) {
    try {
      dispatch(step);
    } catch (StorageFailureException e) {
      if (!armed) {
        throw e;
      }
      powerCut(armedSeed, 0);
    }
  }

  private void dispatch(Step step) {
    switch (step.verb()) {
      case TABLE -> makeTable(step.argument(0));
      case DROP -> dropTable(step.argument(0));
      case BEGIN, SNAPSHOT -> openView(step);
      case COMMIT, ROLLBACK, RELEASE, SAVEPOINT, ROLLBACK_TO -> withView(step);
      case GET, SCAN, SCAN_BACK -> inTable(step);
      case PUT, DELETE, PUT_IF_ABSENT, REPLACE, SWAP, COMPARE_AND_SET, DELETE_RANGE, FILL ->
          inTable(step);
      case CURSOR -> openCursor(step);
      case FIRST, LAST, NEXT, PREVIOUS, SEEK, SEEK_FLOOR, DELETE_AT, CLOSE_CURSOR ->
          withCursor(step);
      case SYNC -> sync();
      case DRAIN -> drain();
      case COMPACT -> compact();
      case CHECK -> database.check();
      case REOPEN -> reopen();
      case ARM -> arm(step);
      case CRASH -> powerCut(Long.parseLong(step.argument(0)), step.number(1));
      case KILL -> kill();
    }
  }

  // Tables and views.

  private void makeTable(String name) {
    boolean isNew = model.current().number(name) == null;
    if (isNew) {
      model.prepareTable(name);
    }
    Table table = database.table(name);
    ViewSteps.same("name of the table", name, table.name());
    if (isNew) {
      tables.put(model.createTable(name), table);
    }
    compareNames();
  }

  private void dropTable(String name) {
    boolean present = model.current().number(name) != null;
    if (present) {
      model.prepareDrop(name);
    }
    ViewSteps.same("dropTable", present, database.dropTable(name));
    model.dropTable(name);
    compareNames();
  }

  private void compareNames() {
    ViewSteps.same("tables", List.copyOf(model.current().names()), database.tables());
  }

  private void openView(Step step) {
    String name = step.argument(0);
    if (views.containsKey(name)) {
      return;
    }
    if (step.verb() == Verb.SNAPSHOT) {
      Snapshot snapshot = database.snapshot();
      views.put(name, new OpenView(snapshot, model.current(), null));
    } else {
      WriteTransaction transaction = database.beginWrite();
      views.put(name, new OpenView(transaction, model.current(), model.begin()));
    }
  }

  private void withView(Step step) {
    OpenView view = views.get(step.argument(0));
    if (view == null || view.isTransaction() == (step.verb() == Verb.RELEASE)) {
      return;
    }
    switch (step.verb()) {
      case SAVEPOINT -> view.savepoint();
      case ROLLBACK_TO -> view.rollbackTo(step.number(1));
      case COMMIT -> commit(step.argument(0), view);
      case ROLLBACK -> {
        view.writer().rollback();
        closeView(step.argument(0));
      }
      default -> closeView(step.argument(0));
    }
  }

  private void commit(String name, OpenView view) {
    boolean conflict = model.conflicts(view.model());
    if (!conflict) {
      model.prepare(view.model());
    }
    boolean refused = false;
    try {
      view.writer().commit();
    } catch (ConflictException e) {
      refused = true;
    }
    if (!refused || !mayBeForgotten(view.model())) {
      ViewSteps.same("conflict", conflict, refused);
    }
    if (!refused) {
      model.commit(view.model());
    }
    closeView(name);
  }

  /**
   * The database keeps what was committed since the begin of open transactions only within its
   * budget, but the last commit in any case: what it has forgotten counts as a conflict.
   */
  private boolean mayBeForgotten(ModelTransaction transaction) {
    LongSummaryStatistics since = model.commitsSince(transaction);
    if (since.getCount() <= 1) {
      return false;
    }
    long budget = settings.tuning().memoryBudget();
    if (settings.durability() == Durability.UNSAVED_COMMITS_AT_RISK) {
      return budget < PRECISE_BUDGET || since.getSum() > budget / HISTORY_PART;
    }
    long begunTop = (long) TRACE_PER_TOP_BYTE * settings.tuning().topBytes();
    return since.getSum() + EPOCH_OVERHEAD * since.getCount() + begunTop > budget / 2;
  }

  private void closeView(String name) {
    OpenView view = views.remove(name);
    if (view != null) {
      view.close();
    }
  }

  private void inTable(Step step) {
    OpenView view = views.get(step.argument(0));
    Integer number = view == null ? null : tableNumber(view, step.argument(1));
    if (view == null || number == null) {
      return;
    }
    ViewSteps steps = new ViewSteps(view, table(number), number);
    switch (step.verb()) {
      case GET, SCAN, SCAN_BACK -> steps.read(step);
      default -> {
        if (view.isTransaction()) {
          write(step, steps, isDropped(number));
        }
      }
    }
  }

  private static void write(Step step, ViewSteps steps, boolean dropped) {
    if (!dropped) {
      steps.write(step);
      return;
    }
    if (step.verb() == Verb.SWAP || step.verb() == Verb.FILL) {
      return; // These do nothing when the key is absent, or too long.
    }
    try {
      steps.write(step);
    } catch (IllegalStateException refused) {
      return;
    }
    throw new HistoryFailure("a change in a dropped table was taken");
  }

  private boolean isDropped(int number) {
    return model.current().names().stream()
        .noneMatch(name -> Objects.equals(model.current().number(name), number));
  }

  /** A name means the table that the view began with, even if it was dropped since. */
  private @Nullable Integer tableNumber(OpenView view, String name) {
    Integer number = view.base().number(name);
    return number == null ? model.current().number(name) : number;
  }

  private Table table(int number) {
    Table table = tables.get(number);
    if (table == null) {
      throw new HistoryFailure("no handle of table " + number);
    }
    return table;
  }

  private void openCursor(Step step) {
    OpenView view = views.get(step.argument(1));
    Integer number = view == null ? null : tableNumber(view, step.argument(2));
    if (view != null && number != null) {
      ViewSteps steps = new ViewSteps(view, table(number), number);
      closeCursors(step.argument(0));
      view.addCursor(step.argument(0), steps.openCursor(step.range(3)));
    }
  }

  private void withCursor(Step step) {
    String name = step.argument(0);
    if (step.verb() == Verb.CLOSE_CURSOR) {
      closeCursors(name);
      return;
    }
    for (OpenView view : views.values()) {
      OpenView.OpenCursor cursor = view.cursor(name);
      boolean deletes = step.verb() == Verb.DELETE_AT;
      if (cursor != null && !(deletes && isDropped(cursor.table()))) {
        new CursorSteps(view, cursor).perform(step);
      }
    }
  }

  private void closeCursors(String name) {
    views.values().forEach(view -> view.closeCursor(name));
  }

  // The life of the database.

  private void sync() {
    database.sync();
    model.allDurable();
  }

  private void drain() {
    database.drain();
    model.allDurable();
  }

  private void compact() {
    database.compact();
    model.allDurable();
  }

  private void reopen() {
    closeViews();
    database.close();
    requireNoHandles();
    model.allDurable();
    storage = storage.processKill();
    database = openDatabase();
    takeTables();
    compareAll();
  }

  private void arm(Step step) {
    storage.faults().failFrom(step.number(0));
    armed = true;
    armedSeed = step.hashCode();
  }

  private void kill() {
    SimulatedStorage left = storage.processKill();
    abandon();
    storage = left;
    recover(false);
  }

  private void powerCut(long seed, int recoveryCalls) {
    Random random = new Random(seed);
    SimulatedStorage left = storage.crash(random);
    abandon();
    storage = left;
    if (recoveryCalls > 0) {
      storage.faults().failFrom(recoveryCalls);
      openAndFail();
      storage = storage.crash(random);
    }
    recover(true);
  }

  private void openAndFail() {
    try {
      database = openDatabase();
      abandon();
    } catch (StorageFailureException e) {
      requireNoHandles();
    }
  }

  private void recover(boolean powerCut) {
    crashes++;
    database = openDatabase();
    ModelState found = DatabaseContent.of(database);
    String difference = model.recover(found, powerCut);
    if (difference != null) {
      throw new HistoryFailure("after the crash: " + difference);
    }
    takeTables();
    database.check();
  }

  private void finish() {
    storage.faults().heal();
    closeViews();
    compareAll();
    database.check();
    reopen();
    database.check();
    database.close();
    requireNoHandles();
  }

  private void compareAll() {
    String difference = model.current().difference(DatabaseContent.of(database));
    if (difference != null) {
      throw new HistoryFailure(difference);
    }
  }

  private void takeTables() {
    tables.clear();
    for (String name : model.current().names()) {
      Integer number = model.current().number(name);
      if (number != null) {
        tables.put(number, database.findTable(name).orElseThrow());
      }
    }
  }

  private Database openDatabase() {
    armed = false;
    return TestDatabases.open(storage, settings.options(), settings.tuning());
  }

  private void closeViews() {
    List.copyOf(views.keySet()).forEach(this::closeView);
  }

  /** Closes all on a storage that nothing is expected of any more: its failures are expected. */
  private void abandon() {
    for (String name : List.copyOf(views.keySet())) {
      isClosed(() -> closeView(name));
    }
    if (isClosed(database::close)) {
      requireNoHandles();
    }
  }

  /** Closes what it can, so that a reducer can run thousands of failing histories. */
  private void abandonAfter(HistoryFailure failure) {
    try {
      abandon();
    } catch (RuntimeException | AssertionError e) {
      failure.addSuppressed(e);
    }
  }

  private static boolean isClosed(Runnable closing) {
    try {
      closing.run();
      return true;
    } catch (StorageFailureException dead) {
      return false;
    }
  }

  private void requireNoHandles() {
    ViewSteps.same("files left open", List.of(), storage.openHandles());
    ViewSteps.same("misuse of the storage", List.of(), storage.misuse());
  }
}
