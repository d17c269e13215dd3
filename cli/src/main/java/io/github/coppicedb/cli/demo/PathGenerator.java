package io.github.coppicedb.cli.demo;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;

/**
 * Makes paths like those of the files of a Linux distribution: packages of many files that share
 * long directory names. All are distinct, and the same seed gives the same paths on every machine
 * ({@link Random} is specified to the bit). They come in no order that is worth anything. For one
 * thread.
 */
public final class PathGenerator {
  private static final String[] WORDS =
      ("access action alpha archive array atlas audio backup base binary block bridge buffer build"
           + " cache canvas chain channel class client cloud codec color command common config"
           + " console context control core crypto cursor daemon data debug decode device dialog"
           + " display draw driver editor encode engine error event export factory field file"
           + " filter font format frame function gateway graph group handler header helper image"
           + " index input install kernel keyboard label layer layout library linear list loader"
           + " local logger manager matrix memory menu message model module monitor mouse network"
           + " node object option output package panel parser path pattern pixel player plugin"
           + " point policy print process profile protocol proxy query queue random reader record"
           + " render report request resource scale scanner schema screen script search section"
           + " server service session shader shape signal socket source stack stream string style"
           + " symbol system table target task template texture theme thread timer token toolkit"
           + " trace tree type update utility value vector version video view widget window worker"
           + " writer")
          .split(" ");

  private static final String[] LAYOUTS = {
    "/usr/share/doc/%s-doc/html/class%s.html",
    "/usr/share/doc/lib%s-dev/examples/%s.c",
    "/usr/include/%s/detail/%s.hpp",
    "/usr/include/%s/%s.h",
    "/usr/lib/python3/dist-packages/%s/tests/test_%s.py",
    "/usr/lib/python3/dist-packages/%s/%s.py",
    "/usr/lib/R/site-library/%s/help/%s.rds",
    "/usr/share/javascript/%s/dist/modules/%s.js",
    "/usr/share/gocode/src/github.com/%s/internal/%s.go",
    "/usr/share/icons/%s/scalable/apps/%s.svg",
    "/usr/share/texlive/texmf-dist/tex/latex/%s/%s.sty",
    "/usr/lib/x86_64-linux-gnu/%s/plugins/lib%s.so"
  };

  private static final int MEAN_FILES = 48;

  private final Random random;
  private final Set<String> packages = new HashSet<>();
  private final Set<String> files = new HashSet<>();
  private String layout = "";
  private String packageName = "";
  private int filesLeft;

  /** Begins the sequence of a seed. */
  public PathGenerator(long seed) {
    this.random = new Random(seed);
  }

  /** Returns the next path, in UTF-8. */
  public byte[] next() {
    if (filesLeft == 0) {
      beginPackage();
    }
    filesLeft--;
    String path = layout.formatted(packageName, distinct(files, '_'));
    return path.getBytes(StandardCharsets.UTF_8);
  }

  private void beginPackage() {
    files.clear();
    // The names of packages are distinct, so that whole paths are; the layouts tell the rest.
    packageName = distinct(packages, '-');
    layout = LAYOUTS[random.nextInt(LAYOUTS.length)];
    filesLeft = 1 + (int) (-Math.log(1 - random.nextDouble()) * MEAN_FILES);
  }

  private String distinct(Set<String> taken, char separator) {
    String name = word();
    while (!taken.add(name)) {
      name += separator + word();
    }
    return name;
  }

  private String word() {
    return WORDS[random.nextInt(WORDS.length)];
  }
}
