package io.github.coppicedb.testkit;

import io.github.coppicedb.Cursor;
import java.util.Map;

/** The steps of a history that move a cursor, each compared with the model. */
final class CursorSteps {
  private final OpenView view;
  private final OpenView.OpenCursor cursor;

  CursorSteps(OpenView view, OpenView.OpenCursor cursor) {
    this.view = view;
    this.cursor = cursor;
  }

  /** Does a step of a cursor. */
  void perform(Step step) {
    if (step.verb() == Verb.DELETE_AT) {
      deleteAt();
      return;
    }
    boolean expected = moveModel(step);
    boolean moved = move(step);
    if (expected) {
      Map.Entry<byte[], byte[]> entry = Map.entry(cursor.model().key(), cursor.model().value());
      ViewSteps.sameEntry(step.toString(), entry, cursor.actual(), moved);
    } else {
      ViewSteps.same(step.toString(), false, moved);
      ViewSteps.same(step + ", isValid", false, cursor.actual().isValid());
    }
  }

  private boolean move(Step step) {
    Cursor actual = cursor.actual();
    return switch (step.verb()) {
      case FIRST -> actual.first();
      case LAST -> actual.last();
      case NEXT -> actual.next();
      case PREVIOUS -> actual.previous();
      case SEEK -> actual.seek(step.blob(1));
      case SEEK_FLOOR -> actual.seekFloor(step.blob(1));
      default -> throw new IllegalArgumentException("no move: " + step);
    };
  }

  private boolean moveModel(Step step) {
    ModelCursor model = cursor.model();
    return switch (step.verb()) {
      case FIRST -> model.first();
      case LAST -> model.last();
      case NEXT -> model.next();
      case PREVIOUS -> model.previous();
      case SEEK -> model.seek(step.blob(1));
      case SEEK_FLOOR -> model.seekFloor(step.blob(1));
      default -> throw new IllegalArgumentException("no move: " + step);
    };
  }

  private void deleteAt() {
    ModelCursor model = cursor.model();
    boolean present = model.isAtKey() && view.content(cursor.table()).containsKey(model.key());
    if (view.isTransaction() && present) {
      cursor.actual().delete();
      view.model().add(new Change.Delete(cursor.table(), model.key()));
    }
  }
}
