package io.github.coppicedb.lsm;

import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;

/** Holds writers at a pace that the background work can keep. Under the commit lock. */
final class Throttle {
  private static final long WAIT_MILLIS = 20;

  /** So many times the memory budget no writer goes beyond. */
  private static final double HARD_CAP = 1.25;

  private final Shelf shelf;
  private final Background background;
  private final Retries retries;
  private final Runnable work;
  private final DoubleSupplier fill;
  private final DoubleSupplier heapFill;
  private final Pacer pacer = new Pacer(Pacer::sleep);

  /**
   * Makes the throttle of a forest.
   *
   * @param work all that is due, for a thread in the background
   * @param fill how full the backlog is
   * @param heapFill how full its memory is
   */
  Throttle(
      Shelf shelf,
      Background background,
      Retries retries,
      Runnable work,
      DoubleSupplier fill,
      DoubleSupplier heapFill) {
    this.shelf = shelf;
    this.background = background;
    this.retries = retries;
    this.work = work;
    this.fill = fill;
    this.heapFill = heapFill;
  }

  /**
   * Lets a writer wait for each byte as the backlog grows, and a thread more help when it is full.
   *
   * @param anything does a piece of work, if there are no threads that do
   * @param storing does a piece of work that makes room, if the background fails
   */
  void pace(long bytes, BooleanSupplier anything, BooleanSupplier storing) {
    if (background.isInline()) {
      while (heapFill.getAsDouble() > 1) {
        workOrWait(anything);
      }
      return;
    }
    double before = fill.getAsDouble();
    pacer.pause(bytes, before);
    if (before >= 1) {
      help();
      awaitRoom(storing);
    }
  }

  private void workOrWait(BooleanSupplier piece) {
    if (!piece.getAsBoolean()) {
      shelf.awaitChange(WAIT_MILLIS);
    }
  }

  /** Returns when memory is not over its hard cap, or below the budget if the work fails. */
  private void awaitRoom(BooleanSupplier storing) {
    long begin = System.nanoTime();
    boolean waited = false;
    while (heapFill.getAsDouble() > (retries.state() != null ? 1 : HARD_CAP)) {
      waited = true;
      if (retries.state() != null && storing.getAsBoolean()) {
        retries.tryNow();
      } else {
        help();
        shelf.awaitChange(WAIT_MILLIS);
      }
    }
    if (waited) {
      pacer.note(System.nanoTime() - begin);
    }
  }

  private void help() {
    if (retries.mayRun()) {
      background.help(work);
    }
  }
}
