import { exactUsd, formatMonthly, parseMicros } from '../../console/lib/billing/money';
import { compareLines, countChanges, foldUnchanged, type DiffRow } from '../../console/lib/textDiff';
import { codeBlock, codeSpan, folded } from './markdown';
import type { Plan, Side } from './plan';
import type { Verified } from './verify';

export interface Report {
  name: string;
  mode: 'plan' | 'deploy';
  plan: Plan | null;
  /** Error; null without one. */
  failure: { message: string; advice: readonly string[] } | null;
  verified: Verified[];
  /** Reason nothing was verified; null if something was. */
  not_verified: string | null;
  /** URL of the CVM's page; null before it exists. */
  cvm_url: string | null;
  /** URL of the page that verifies it in the browser. */
  verify_url: string | null;
  /** Revision and run, for readers: built by this program. */
  source: { commit: string | null; run_url: string | null };
}

/** GitHub accepts 65,536 characters. */
const MAX_CHARACTERS = 60_000;
const MAX_DIFF_LINES = 500;
const MAX_DIFF_CHARACTERS = 30_000;
const MAX_LINE = 400;
/** Above this, all lines are shown as replaced: more wouldn't fit. */
const MAX_EDITS = 500;

/** First line of a comment, by which it is found again. */
export const markerOf = (name: string): string => `<!-- teehouse-deploy: ${name} -->`;

/** The report as Markdown, without the marker. Contains no values of variables. */
export function markdown(report: Report): string {
  const text = render(report);
  if (text.length <= MAX_CHARACTERS) return text;
  const short = render({
    ...report,
    plan: report.plan && withoutFile(report.plan),
    verified: report.verified.slice(0, 1),
  });
  return short.slice(0, MAX_CHARACTERS);
}

function render(report: Report): string {
  const { name, mode, plan, failure, not_verified, source } = report;
  const parts = [
    `### ${headline(report)} ${codeSpan(name)}`,
    failure && failureText(failure),
    plan && table(plan),
    plan && envText(plan),
    plan && mode === 'plan' ? refusalText(plan) : null,
    plan && warningsText(plan),
    plan?.hash_agrees === false ? HASH_DIFFERS : null,
    plan && diffText(plan),
    ...report.verified.map(verifiedText),
    not_verified === null ? null : `**Attestation:** not verified. ${not_verified}`,
    joined([
      report.cvm_url === null ? null : `[CVM](${report.cvm_url})`,
      report.verify_url === null ? null : `[Verify in the browser](${report.verify_url})`,
    ]),
    joined([
      source.commit === null ? null : `Commit ${codeSpan(source.commit)}`,
      source.run_url === null ? null : `[Run](${source.run_url})`,
    ]),
  ];
  return `${parts.filter((part) => part !== null).join('\n\n')}\n`;
}

const joined = (parts: readonly (string | null)[]): string | null =>
  parts.filter((part) => part !== null).join(' · ') || null;

const withoutFile = (plan: Plan): Plan => ({
  ...plan,
  before: plan.before && { ...plan.before, docker_compose_file: '' },
  after: { ...plan.after, docker_compose_file: '' },
  warnings: [],
});

const HASH_DIFFERS =
  '**The server’s compose hash differs from the one computed on this runner.** The server may be newer than this program. Once deployed, the file itself is compared with the evidence.';

const refusalText = ({ refusal }: Plan) =>
  refusal === null ? null : `**Can’t be deployed right now:** ${codeSpan(refusal, 1_000)}`;

const warningsText = ({ warnings }: Plan) =>
  warnings.length === 0
    ? null
    : [
        '**Warnings**',
        warnings
          .slice(0, 10)
          .map((text) => `- ${codeSpan(text, 500)}`)
          .join('\n'),
      ].join('\n\n');

function headline({ mode, plan, failure }: Report): string {
  if (failure) return mode === 'plan' ? 'Can’t be deployed:' : 'Not deployed:';
  if (!plan || plan.action === 'none') return 'No changes:';
  const [planned, done] = HEADLINES[plan.action];
  return mode === 'plan' ? planned : done;
}

const HEADLINES = {
  create: ['Will be created:', 'Created:'],
  update: ['Will be updated:', 'Updated:'],
  restart: ['Will be restarted:', 'Restarted:'],
} as const;

const failureText = ({ message, advice }: NonNullable<Report['failure']>) =>
  [
    codeBlock(message.slice(0, 4_000), 'text'),
    ...advice.slice(0, 5).map((text) => `- ${codeSpan(text, 500)}`),
  ].join('\n\n');

function table({ before, after, count }: Plan): string {
  const row = (title: string, of: (side: Side) => string | null) => {
    const [left, right] = [before ? of(before) : null, of(after)];
    const cell = (text: string | null) => (text ?? '—').replaceAll('|', '\\|');
    return left === null && right === null ? [] : [`| ${title} | ${cell(left)} | ${cell(right)} |`];
  };
  const hourly = ({ hourly: rate }: Side) => (rate === null ? null : `${exactUsd(rate)}/h`);
  const monthly = ({ hourly: rate }: Side) => {
    const micros = rate === null ? null : parseMicros(rate);
    return micros === null ? null : formatMonthly(micros);
  };
  return [
    '| | before | after |',
    '|---|---|---|',
    ...row('Compose hash', ({ compose_hash }) => codeSpan(compose_hash)),
    ...row('Size', ({ size }) => (size === null ? null : codeSpan(size))),
    ...(count > 1 ? [`| CVMs | ${count} | ${count} |`] : []),
    ...row('Cost while running', hourly),
    ...row('Cost of 730 hours', monthly),
  ].join('\n');
}

/** Names only. */
function envText({ env, seals }: Plan): string | null {
  const list = (names: readonly string[]) =>
    names
      .slice(0, 100)
      .map((name) => codeSpan(name))
      .join(', ');
  const changes = [
    ...(env.added.length > 0 ? [`added ${list(env.added)}`] : []),
    ...(env.removed.length > 0 ? [`removed ${list(env.removed)}`] : []),
  ];
  const values = seals
    ? 'The values are encrypted for the enclave and replaced; nobody else can read or compare them.'
    : env.managed && env.names.length > 0
      ? 'Their values are not sent, because nothing else changes.'
      : '';
  if (changes.length === 0 && values === '') return null;
  return `**Environment variables:** ${changes.join('; ') || 'the same names'}. ${values}`.trim();
}

function diffText({ before, after }: Plan): string | null {
  const rows = compareLines(before?.docker_compose_file ?? '', after.docker_compose_file, MAX_EDITS);
  const { added, removed } = countChanges(rows);
  if (added + removed === 0) return null;
  const lines: string[] = [];
  let size = 0;
  let left = 0;
  for (const part of foldUnchanged(rows, ({ kind }) => kind !== 'same')) {
    const shown =
      part.kind === 'folded' ? [`@@ ${part.items.length} unchanged lines @@`] : part.items.map(diffLine);
    for (const line of shown) {
      if (lines.length >= MAX_DIFF_LINES || size + line.length > MAX_DIFF_CHARACTERS) left += 1;
      else {
        lines.push(line);
        size += line.length + 1;
      }
    }
  }
  if (left > 0) lines.push(`@@ ${left} more lines @@`);
  return folded(
    `Compose file: ${added} added, ${removed} removed lines`,
    codeBlock(lines.join('\n'), 'diff'),
  );
}

function diffLine({ kind, text }: DiffRow): string {
  const line = text.length > MAX_LINE ? `${text.slice(0, MAX_LINE)}…` : text;
  return `${kind === 'added' ? '+' : kind === 'removed' ? '-' : ' '}${line}`;
}

const STATES: Readonly<Record<Verified['state'], string>> = {
  verified: '✅ verified on this runner',
  'verified with exceptions': '⚠️ verified on this runner, with exceptions',
  'not verified': '❌ not verified',
  unknown: '❔ unknown: a required check was skipped',
  simulated: '⚠️ simulated: this host has no TEE, so nothing is proven',
};
const MARKS = { passed: '✅', failed: '❌', warning: '⚠️', skipped: '➖' } as const;
const RANK = { failed: 0, warning: 1, skipped: 2, passed: 3 } as const;

function verifiedText({ name, state, line, checks, from_server, trusted }: Verified): string {
  const sorted = [...checks].sort((a, b) => RANK[a.state] - RANK[b.state]);
  const count = (of: keyof typeof MARKS) => checks.filter((check) => check.state === of).length;
  const list = sorted.map(
    (check) =>
      `- ${MARKS[check.state]} ${check.title}${check.state === 'passed' ? '' : `, ${check.state}${check.required && check.state === 'skipped' ? ' (required)' : ''}: ${codeSpan(check.detail, 500)}`}`,
  );
  const notes = [
    ...(from_server.length > 0
      ? [`Taken from the server’s records, not pinned by a policy file: ${from_server.join(', ')}.`]
      : []),
    ...(trusted.length > 0 ? [`Trusted: ${codeSpan(trusted.join('; '), 1_000)}`] : []),
  ];
  return [
    `**Attestation of** ${codeSpan(name)}**:** ${STATES[state]}. ${codeSpan(line, 600)}`,
    folded(
      `Checks: ${count('passed')} passed, ${count('failed')} failed, ${count('warning')} warnings, ${count('skipped')} skipped`,
      [list.join('\n'), ...notes].join('\n\n'),
    ),
  ].join('\n\n');
}
