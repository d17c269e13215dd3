package io.github.coppicedb.bench.run;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/** What the system knows of this process. */
public final class ProcessFacts {
  private static final Path PROC = Path.of("/proc/self");

  private ProcessFacts() {}

  /** Returns the CPU time of all threads so far, in nanoseconds. */
  public static long cpuNanos() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }

  /** Returns the bytes to be written so far, where the system counts them. */
  public static OptionalLong writtenBytes() {
    return number("io", "write_bytes:", 1);
  }

  /** Returns the most memory in RAM so far, where the system tells it. */
  static OptionalLong peakRss() {
    return number("status", "VmHWM:", 1024);
  }

  private static OptionalLong number(String file, String name, long unit) {
    try {
      for (String line : Files.readAllLines(PROC.resolve(file))) {
        if (line.startsWith(name)) {
          String number = line.substring(name.length()).replaceAll("\\D", "");
          return OptionalLong.of(Long.parseLong(number) * unit);
        }
      }
      return OptionalLong.empty();
    } catch (IOException e) {
      // Another system than Linux: the column stays empty.
      return OptionalLong.empty();
    }
  }

  /** Returns the heap in use now. */
  static long heapUsed() {
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  /** Forgets the peaks of the heap so far. */
  static void resetHeapPeak() {
    ManagementFactory.getMemoryPoolMXBeans().forEach(MemoryPoolMXBean::resetPeakUsage);
  }

  /** Returns the peaks of the parts of the heap, added up: at least the peak of the whole. */
  static long heapPeak() {
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(pool -> pool.getType() == MemoryType.HEAP)
        .mapToLong(pool -> pool.getPeakUsage().getUsed())
        .sum();
  }
}
