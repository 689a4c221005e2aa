import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const NOUNS =
  'apps|certificates|changes|containers|contracts|CVMs|domains|entries|events|GPUs|hosts|images|jobs|lines|members|' +
  'names|nodes|operations|ports|replicas|requests|revisions|services|steps|teams|teepods|tokens|users|values|' +
  'variables|webhooks';

/** A value in a template or in JSX followed by a plural. An equals sign after it makes it an attribute. */
const UNGUARDED = new RegExp(`\\{(?!counted\\()[^{}]+\\} (${NOUNS})\\b(?!=)|[a-z]\\(s\\)`);

/** Limits, and texts that handle the singular themselves. */
const GUARDED = /MAX|=== 1/;

/** Values that aren't numbers, or are never one. */
const NEVER_ONE = [
  'markers.length',
  'context_length',
  'metrics.replicas_total',
  'data.current_total',
  'same.length',
  'search.state',
  'operation.type',
  'The ${count} CVMs',
  '${result}: ${count} CVMs',
  '${script} names',
  'pairs.length',
  'count(data.total)',
  'of ${count(total)} CVMs',
  '${count(first)} hosts only',
  'of ${count(total)} hosts',
  '${own} requests',
  '${state} users',
  '(n) => ',
  'host.host_gpus',
  'teepod.name',
];

const SKIPPED = /\.test\.|\.gen\.|\/(e2e|testing|tools|bench|cli|storybook)\//;

it('never puts a plural after a number that can be one', () => {
  const files = ['console', 'admin', 'server'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  );
  const sources = files.filter((file) => /\.tsx?$/.test(file) && !SKIPPED.test(file));
  expect(sources.length).toBeGreaterThan(1000);
  const found = sources.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => UNGUARDED.test(line) && !GUARDED.test(line))
      .filter((line) => !NEVER_ONE.some((value) => line.includes(value)))
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
});
