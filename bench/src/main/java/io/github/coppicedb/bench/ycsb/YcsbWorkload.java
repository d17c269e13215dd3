package io.github.coppicedb.bench.ycsb;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Properties;

/**
 * The core workloads of YCSB, by the numbers of its definition (Cooper, Silberstein, Tam,
 * Ramakrishnan and Sears, "Benchmarking Cloud Serving Systems with YCSB", SoCC 2010): records of
 * ten fields of a hundred bytes.
 */
enum YcsbWorkload {
  /** Half reads, half updates. */
  A("half reads, half updates", "zipfian", 0.5, 0.5, 0, 0, 0),
  /** Mostly reads. */
  B("95 % reads, 5 % updates", "zipfian", 0.95, 0.05, 0, 0, 0),
  /** Only reads. */
  C("reads", "zipfian", 1, 0, 0, 0, 0),
  /** Reads of the newest. */
  D("95 % reads of the newest, 5 % inserts", "latest", 0.95, 0, 0.05, 0, 0),
  /** Short scans. */
  E("95 % scans of 1 to 100 records, 5 % inserts", "zipfian", 0, 0, 0.05, 0.95, 0),
  /** Read, change and write. */
  F("half reads, half reads with an update of what was read", "zipfian", 0.5, 0, 0, 0, 0.5);

  /** The one table. */
  static final String TABLE = "usertable";

  private final String what;
  private final String distribution;
  private final double read;
  private final double update;
  private final double insert;
  private final double scan;
  private final double readModifyWrite;

  YcsbWorkload(
      String what,
      String distribution,
      double read,
      double update,
      double insert,
      double scan,
      double readModifyWrite) {
    this.what = what;
    this.distribution = distribution;
    this.read = read;
    this.update = update;
    this.insert = insert;
    this.scan = scan;
    this.readModifyWrite = readModifyWrite;
  }

  /** Returns what it does, for the report. */
  String what() {
    return what;
  }

  /** Returns the letter that options and reports use. */
  String letter() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the properties that YCSB's workload class asks for. */
  Properties properties(int records, int operations) {
    Properties properties = new Properties();
    properties.setProperty("table", TABLE);
    properties.setProperty("recordcount", String.valueOf(records));
    properties.setProperty("operationcount", String.valueOf(operations));
    properties.setProperty("requestdistribution", distribution);
    properties.setProperty("readallfields", "true");
    properties.setProperty("readproportion", String.valueOf(read));
    properties.setProperty("updateproportion", String.valueOf(update));
    properties.setProperty("insertproportion", String.valueOf(insert));
    properties.setProperty("scanproportion", String.valueOf(scan));
    properties.setProperty("readmodifywriteproportion", String.valueOf(readModifyWrite));
    return properties;
  }

  /**
   * Returns the workload of a letter, small or capital.
   *
   * @throws IllegalArgumentException if there is none
   */
  static YcsbWorkload of(String letter) {
    List<String> letters = new ArrayList<>();
    for (YcsbWorkload workload : values()) {
      if (workload.name().equalsIgnoreCase(letter)) {
        return workload;
      }
      letters.add(workload.letter());
    }
    throw new IllegalArgumentException(
        "no workload '%s'; there are %s".formatted(letter, String.join(", ", letters)));
  }
}
