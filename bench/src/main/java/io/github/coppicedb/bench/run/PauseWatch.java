package io.github.coppicedb.bench.run;

import com.sun.management.GarbageCollectionNotificationInfo;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;

/** Watches for how long the collector stops the program. */
final class PauseWatch {
  private final AtomicLong longestMillis = new AtomicLong();

  private PauseWatch() {}

  static PauseWatch start() {
    PauseWatch watch = new PauseWatch();
    for (GarbageCollectorMXBean bean : ManagementFactory.getGarbageCollectorMXBeans()) {
      if (bean instanceof NotificationEmitter emitter) {
        emitter.addNotificationListener((notification, any) -> watch.see(notification), null, null);
      }
    }
    return watch;
  }

  private void see(Notification notification) {
    if (notification.getUserData() instanceof CompositeData data) {
      GarbageCollectionNotificationInfo info = GarbageCollectionNotificationInfo.from(data);
      // A concurrent cycle is no pause.
      if (!info.getGcName().contains("Concurrent") && !info.getGcName().contains("Cycles")) {
        longestMillis.accumulateAndGet(info.getGcInfo().getDuration(), Math::max);
      }
    }
  }

  void reset() {
    longestMillis.set(0);
  }

  double longestSeconds() {
    return longestMillis.get() / 1e3;
  }
}
