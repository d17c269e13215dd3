package io.github.coppicedb.bench.report;

/** What a measured number says of its goal. */
enum Verdict {
  MET("met"),
  MISSED("missed"),
  NO_GOAL("no goal"),
  FAILED("failed"),
  NOT_MEASURED("not measured");

  private final String text;

  Verdict(String text) {
    this.text = text;
  }

  @Override
  public String toString() {
    return text;
  }
}
