package io.github.coppicedb.bench.run;

import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.GcInfo;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;

/**
 * Watches the collector: for how long it stops the program, and how much heap is in use after it
 * ran. The JVM tells it a little later, on a thread of its own.
 */
final class CollectorWatch {
  private final AtomicLong longestMillis = new AtomicLong();
  private final AtomicLong mostLive = new AtomicLong();
  private final AtomicLong fromMillis = new AtomicLong();
  private final Set<String> pools =
      ManagementFactory.getMemoryPoolMXBeans().stream()
          .filter(pool -> pool.getType() == MemoryType.HEAP)
          .map(MemoryPoolMXBean::getName)
          .collect(Collectors.toUnmodifiableSet());

  private CollectorWatch() {}

  static CollectorWatch start() {
    CollectorWatch watch = new CollectorWatch();
    for (GarbageCollectorMXBean bean : ManagementFactory.getGarbageCollectorMXBeans()) {
      // Cycles (of ZGC and Shenandoah) run beside the program; G1's concurrent ones are told by
      // their pauses.
      if (bean instanceof NotificationEmitter emitter && !bean.getName().contains("Cycles")) {
        emitter.addNotificationListener((notification, any) -> watch.see(notification), null, null);
      }
    }
    return watch;
  }

  private void see(Notification notification) {
    if (notification.getUserData() instanceof CompositeData data) {
      GcInfo info = GarbageCollectionNotificationInfo.from(data).getGcInfo();
      if (info.getStartTime() >= fromMillis.get()) {
        longestMillis.accumulateAndGet(info.getDuration(), Math::max);
        long used =
            info.getMemoryUsageAfterGc().entrySet().stream()
                .filter(pool -> pools.contains(pool.getKey()))
                .mapToLong(pool -> pool.getValue().getUsed())
                .sum();
        mostLive.accumulateAndGet(used, Math::max);
      }
    }
  }

  /** Forgets what was, the peaks of the heap too; what began before does not count. */
  void reset() {
    fromMillis.set(ManagementFactory.getRuntimeMXBean().getUptime());
    longestMillis.set(0);
    mostLive.set(0);
    ProcessFacts.resetHeapPeak();
  }

  double longestSeconds() {
    return longestMillis.get() / 1e3;
  }

  /** Returns the most heap that was in use after a collection; 0 if there was none. */
  long mostLiveBytes() {
    return mostLive.get();
  }
}
