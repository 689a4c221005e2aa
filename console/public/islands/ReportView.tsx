import type { ReactNode } from 'react';
import type { Gap } from '../../lib/attestation/gaps';
import { summary } from '../../lib/attestation/summary';
import type { Report } from '../../lib/attestation/types';
import { folded, lookOf, sideNoteOf, tally, verdictLook, type Look } from '../../ui/attestation/checkDisplay';
import verdictStyles from '../report.module.css';
import site from '../site.module.css';

/** Formats Unix seconds. */
export const utc = (seconds: number) =>
  `${new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** Maximum names in one heading; more are listed below it. */
const MAX_NAMED = 3;

interface ReportViewProps {
  report: Report;
  /** What it doesn't cover. */
  gaps: Gap[];
  /** Whether it is about saved evidence, because the guest doesn't respond. */
  isPast?: boolean;
  /** Time and subject, and what to do next. */
  children: ReactNode;
}

/** A verdict with all of its checks, failures first. Checks skipped for the same reason share a row. */
export function ReportView({ report, gaps, isPast = false, children }: ReportViewProps) {
  const look = verdictLook(report, isPast);
  const note = sideNoteOf(report);
  const { simulated } = report;
  return (
    <>
      <div className={verdictStyles.verdict} data-tone={look.tone} role="status">
        <strong>{look.word}</strong>
        {note && <span className={site.simulated}>{note.word}</span>}
        <p>{summary(report).line}</p>
        <p>{tally(report.checks, simulated)}.</p>
        <p>{children}</p>
      </div>
      <ul className={verdictStyles.checks} aria-label="Checks">
        {folded(report.checks).map((checks) => (
          <li key={checks[0]?.id}>
            {checks[0] && <CheckMark look={lookOf(checks[0].state, simulated)} />}
            <strong>
              {checks.length > MAX_NAMED
                ? `${checks.length} checks`
                : checks.map(({ title }) => title).join(', ')}
            </strong>
            <small>{checks[0]?.detail}</small>
            {checks.length > MAX_NAMED && <small>{checks.map(({ title }) => title).join(' · ')}</small>}
          </li>
        ))}
      </ul>
      {gaps.length > 0 && (
        <details>
          <summary>What this doesn’t prove</summary>
          <ul className={verdictStyles.checks}>
            {gaps.map(({ what, why }) => (
              <li key={what}>
                <strong>{what}</strong>
                <span>{why}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

/** A check's result, with a mark, since color alone isn't enough. */
const CheckMark = ({ look: { tone, word } }: { look: Look }) => (
  <span className={verdictStyles.mark} data-look={tone}>
    {word}
  </span>
);
