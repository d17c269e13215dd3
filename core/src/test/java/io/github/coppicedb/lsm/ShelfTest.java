package io.github.coppicedb.lsm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.coppicedb.log.LogPosition;
import io.github.coppicedb.top.ArenaTop;
import io.github.coppicedb.tree.PackedTree;
import io.github.coppicedb.tree.TreeSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who may work on which layers, and that their order by age and their commits stay whole. */
@Timeout(60)
final class ShelfTest {
  private static final LogPosition END = new LogPosition(1, 0, 0);
  private static final PackedTree TREE = new ArenaTop(false).seal(0, new TreeSettings(128, 0));

  private final ReentrantLock lock = new ReentrantLock();
  private int publications;
  private final Shelf shelf =
      new Shelf(
          lock,
          () -> {
            assertTrue(lock.isHeldByCurrentThread());
            publications++;
          });
  private long files;

  private static ShelfItem top(int section) {
    return ShelfItem.ofTop(new ArenaTop(false), END, section);
  }

  private static ShelfItem heap(int rank, long bytes, int section) {
    ShelfItem.Span span = new ShelfItem.Span(0, 0, END, section, 0);
    return new ShelfItem(Run.EMPTY, null, 0, List.of(), rank, bytes, bytes, List.of(), span);
  }

  private ShelfItem file() {
    return ShelfItem.ofFiles(StoredRun.of(List.of(new StoredTree(files++, 1, TREE))), END);
  }

  /** Puts layers on the shelf, each a commit of its own, the oldest first. */
  private List<ShelfItem> push(ShelfItem... items) {
    List<ShelfItem> pushed = new ArrayList<>();
    for (ShelfItem item : items) {
      shelf.push(List.of(item));
      pushed.add(shelf.items().getFirst());
    }
    return pushed;
  }

  private static List<ShelfItem> newestFirst(List<ShelfItem> oldestFirst) {
    return oldestFirst.reversed();
  }

  /** Asserts that the very same layers were claimed. */
  private static void assertClaimed(List<ShelfItem> expected, List<ShelfItem> claimed) {
    assertEquals(expected.size(), claimed.size());
    for (int i = 0; i < expected.size(); i++) {
      assertSame(expected.get(i), claimed.get(i));
    }
  }

  @Test
  void theNewestComeFirstAndLayersOfOnePushShareItsNumber() {
    assertTrue(shelf.isEmpty());
    shelf.push(List.of(heap(1, 10, 0)));
    shelf.push(List.of(file(), heap(1, 20, 0), top(0)));
    List<ShelfItem> items = shelf.items();
    assertEquals(
        List.of(2L, 2L, 2L, 1L), items.stream().map(item -> item.span().newest()).toList());
    assertTrue(items.getFirst().isFiles());
    assertEquals(1, shelf.topCount());
    assertEquals(30, shelf.packedBytes());
    assertEquals(30 + items.get(2).heapBytes(), shelf.heapBytes());
    assertEquals(30, shelf.logBytes());
    assertEquals(2, publications);
  }

  @Test
  void theOldestTopIsClaimedOnce() {
    List<ShelfItem> pushed = push(top(0), heap(1, 1, 0), top(0));
    assertClaimed(pushed.subList(0, 1), shelf.claimTop());
    assertClaimed(pushed.subList(2, 3), shelf.claimTop());
    assertEquals(List.of(), shelf.claimTop());
    shelf.unclaim(pushed.subList(0, 1));
    assertClaimed(pushed.subList(0, 1), shelf.claimTop());
  }

  @Test
  void neighboursOfTheLowestRankAreClaimedFromTheOldestOn() {
    List<ShelfItem> pushed =
        push(heap(2, 1, 0), heap(2, 1, 0), heap(1, 1, 0), heap(1, 1, 0), heap(1, 1, 0));
    assertClaimed(newestFirst(pushed.subList(2, 4)), shelf.claimRank(2));
    assertClaimed(newestFirst(pushed.subList(0, 2)), shelf.claimRank(2));
    assertEquals(List.of(), shelf.claimRank(2));
  }

  @Test
  void aRowOfOneRankIsBrokenByOtherLayersAndClaims() {
    List<ShelfItem> pushed =
        push(heap(1, 1, 0), file(), heap(1, 1, 0), top(0), heap(1, 1, 0), heap(2, 1, 0));
    assertEquals(List.of(), shelf.claimRank(2));
    push(heap(2, 1, 0), heap(2, 1, 0));
    assertClaimed(List.of(shelf.items().get(1), pushed.get(5)), shelf.claimRank(2));
    push(heap(2, 1, 0));
    assertEquals(2, shelf.claimRank(2).size());
    assertEquals(List.of(), shelf.claimRank(2));
  }

  @Test
  void onlyLayersOfOneSectionAreMergedUntilAllAreJoined() {
    List<ShelfItem> pushed = push(heap(1, 1, 0), heap(1, 1, 1), heap(1, 5, 2), heap(1, 1, 3));
    assertEquals(List.of(), shelf.claimRank(2));
    List<ShelfItem> row = shelf.claimLargestRow();
    assertClaimed(pushed.subList(2, 3), row);
    shelf.unclaim(row);
    shelf.joinSections();
    row = shelf.claimRank(4);
    assertClaimed(newestFirst(pushed), row);
    shelf.unclaim(row);
    assertClaimed(newestFirst(pushed), shelf.claimLargestRow());
  }

  @Test
  void theLargestRowCountsBytesAndTakesMasksAloneWhenNothingElseIsThere() {
    List<ShelfItem> pushed =
        push(heap(1, 5, 0), file(), heap(1, 3, 0), heap(4, 3, 0), top(0), heap(1, 0, 0));
    assertClaimed(newestFirst(pushed.subList(2, 4)), shelf.claimLargestRow());
    assertClaimed(pushed.subList(0, 1), shelf.claimLargestRow());
    assertClaimed(pushed.subList(5, 6), shelf.claimLargestRow());
    assertEquals(List.of(), shelf.claimLargestRow());
  }

  @Test
  void theOldestAreStoredTogetherAsFarAsTheyAreOfOneKind() {
    List<ShelfItem> pushed =
        push(heap(1, 1, 0), heap(3, 1, 0), file(), file(), heap(1, 1, 0), top(0));
    List<ShelfItem> claimed = shelf.claimOldest();
    assertClaimed(newestFirst(pushed.subList(0, 2)), claimed);
    assertEquals(List.of(), shelf.claimOldest());
    shelf.replace(claimed, List.of());
    for (int i = 2; i < 5; i++) {
      claimed = shelf.claimOldest();
      assertClaimed(pushed.subList(i, i + 1), claimed);
      shelf.replace(claimed, List.of());
    }
    assertEquals(List.of(), shelf.claimOldest());
    assertClaimed(pushed.subList(5, 6), shelf.items());
  }

  @Test
  void layersOfOneCommitAreStoredTogetherWhateverTheyAre() {
    push(heap(1, 1, 0));
    shelf.push(List.of(heap(1, 1, 0), file(), heap(1, 1, 0)));
    push(file());
    List<ShelfItem> items = shelf.items();
    assertClaimed(items.subList(1, 5), shelf.claimOldest());
  }

  @Test
  void aCommitIsNotStoredWhileSomebodyWorksOnAPartOfIt() {
    shelf.push(List.of(top(0), heap(1, 1, 0), heap(1, 1, 0)));
    assertEquals(List.of(), shelf.claimOldest());
    List<ShelfItem> top = shelf.claimTop();
    shelf.replace(top, List.of(ShelfItem.packed(top, Run.EMPTY)));
    List<ShelfItem> row = shelf.claimRank(2);
    assertEquals(2, row.size());
    assertEquals(List.of(), shelf.claimOldest());
    shelf.unclaim(row);
    assertEquals(3, shelf.claimOldest().size());
  }

  @Test
  void aReplacementTakesThePlaceOfTheClaimed() {
    List<ShelfItem> pushed = push(heap(2, 1, 0), heap(1, 1, 0), heap(1, 1, 0), heap(2, 1, 0));
    List<ShelfItem> row = shelf.claimRank(2);
    ShelfItem merged = ShelfItem.packed(row, Run.EMPTY);
    push(top(0));
    shelf.replace(row, List.of(merged));
    assertClaimed(List.of(pushed.get(3), merged, pushed.get(0)), shelf.items().subList(1, 4));
    assertEquals(2, merged.span().oldest());
    assertEquals(3, merged.span().newest());
    assertEquals(2, merged.rank());
  }

  @Test
  void freezeWaitsForClaimsAndGivesOutNoMore() throws InterruptedException {
    push(heap(1, 1, 0), heap(1, 1, 0));
    List<ShelfItem> claimed = shelf.claimRank(2);
    Thread thread = Thread.ofVirtual().start(shelf::freeze);
    assertFalse(thread.join(Duration.ofMillis(50)));
    shelf.unclaim(claimed);
    thread.join();
    assertEquals(List.of(), shelf.claimRank(2));
    assertEquals(List.of(), shelf.claimOldest());
    assertEquals(2, shelf.items().size());
  }

  @Test
  void layersAreTakenAwayWhenNobodyWorksOnThem() throws InterruptedException {
    List<ShelfItem> pushed = push(heap(1, 1, 0), heap(1, 1, 1));
    List<ShelfItem> claimed = shelf.claimLargestRow();
    List<ShelfItem> gone = Collections.synchronizedList(new ArrayList<>());
    Thread thread =
        Thread.ofVirtual()
            .start(() -> gone.addAll(shelf.removeIf(item -> item.span().section() == 1)));
    assertFalse(thread.join(Duration.ofMillis(50)));
    shelf.unclaim(claimed);
    thread.join();
    assertClaimed(pushed.subList(1, 2), gone);
    assertClaimed(pushed.subList(0, 1), shelf.items());
  }

  @Test
  void whoWaitsIsWokenByAChangeAndStaysInterrupted() throws InterruptedException {
    List<Boolean> interrupted = Collections.synchronizedList(new ArrayList<>());
    Thread thread =
        Thread.ofPlatform()
            .start(
                () -> {
                  Thread.currentThread().interrupt();
                  shelf.awaitChange(50_000);
                  interrupted.add(Thread.currentThread().isInterrupted());
                });
    while (!thread.join(Duration.ofMillis(5))) {
      shelf.signal();
    }
    assertEquals(List.of(true), interrupted);
    shelf.awaitChange(1);
  }

  /** Random work; in between, each commit is on the shelf as a whole and in its order. */
  @RepeatedTest(20)
  void commitsStayWholeAndInOrder() {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    List<List<ShelfItem>> claims = new ArrayList<>();
    long newest = 0;
    long stored = 0;
    for (int step = 0; step < 400; step++) {
      switch (random.nextInt(8)) {
        case 0, 1 -> {
          shelf.push(commit(random));
          newest++;
        }
        case 2 -> claims.add(shelf.claimTop());
        case 3 -> claims.add(shelf.claimRank(2 + random.nextInt(2)));
        case 4 -> claims.add(shelf.claimLargestRow());
        case 5 -> {
          List<ShelfItem> oldest = shelf.claimOldest();
          if (!oldest.isEmpty()) {
            assertEquals(stored + 1, oldest.getLast().span().oldest());
            stored = oldest.getFirst().span().newest();
            shelf.replace(oldest, List.of());
          }
        }
        default -> endOne(claims, random);
      }
      claims.removeIf(List::isEmpty);
      checkOrder(stored, newest);
    }
  }

  private List<ShelfItem> commit(Random random) {
    List<ShelfItem> items = new ArrayList<>();
    for (int i = random.nextInt(6) == 0 ? 3 : 1; i > 0; i--) {
      items.add(
          switch (random.nextInt(4)) {
            case 0 -> heap(1, random.nextInt(5), 0);
            case 1 -> file();
            default -> top(0);
          });
    }
    return items;
  }

  private void endOne(List<List<ShelfItem>> claims, Random random) {
    if (!claims.isEmpty()) {
      List<ShelfItem> claimed = claims.remove(random.nextInt(claims.size()));
      if (random.nextInt(4) == 0) {
        shelf.unclaim(claimed);
      } else {
        shelf.replace(claimed, List.of(ShelfItem.packed(claimed, Run.EMPTY)));
      }
    }
  }

  private void checkOrder(long stored, long newest) {
    List<ShelfItem> items = shelf.items();
    long last = stored;
    boolean first = true;
    for (ShelfItem item : items.reversed()) {
      long oldest = item.span().oldest();
      assertTrue(oldest == last + 1 || (!first && oldest == last), () -> items.toString());
      first = false;
      last = item.span().newest();
    }
    assertEquals(newest, last);
  }
}
