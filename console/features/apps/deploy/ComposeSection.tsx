import styled from '@emotion/styled';
import { useMemo } from 'react';
import type { Finding } from '../../../lib/compose/composeFile';
import { CodeEditor, type Diagnostic } from '../../../ui/code/CodeEditor';
import { CopyId } from '../../../ui/data/CopyId';
import { Glyph } from '../../../ui/feedback/Glyph';
import { color, space, type } from '../../../ui/theme';
import type { LiveAnalysis } from './analysis';

const Box = styled('div')({ display: 'grid', gap: space(2), minWidth: 0 });
const Hash = styled('dl')({
  ...type.small,
  display: 'grid',
  gridTemplateColumns: 'auto minmax(0, 1fr)',
  gap: `${space(1)} ${space(3)}`,
  alignItems: 'baseline',
  '& dt': { color: color.muted },
  '& dd': { minWidth: 0 },
});
const Summary = styled('p')({
  ...type.small,
  display: 'flex',
  alignItems: 'center',
  gap: space(1.5),
  color: color.muted,
});

interface Props {
  value: string;
  onChange: (value: string) => void;
  live: LiveAnalysis;
  error?: string | undefined;
  readOnly?: boolean;
  /** The current compose hash, if any, shown beside the new one. */
  before?: string | null;
  /** Label for `before`: the CVM may be stopped. */
  beforeLabel?: 'Running' | 'Current';
  /** The line to jump to, from a link on another page. */
  line?: number | undefined;
}

/** The compose editor with findings that link to their lines, and the compose hash of the current text. */
export function ComposeSection({
  value,
  onChange,
  live,
  error,
  readOnly = false,
  before,
  beforeLabel = 'Running',
  line,
}: Props) {
  const { analysis, compose_hash, pending } = live;
  const findings = useMemo(() => inFile(analysis?.findings ?? []), [analysis]);
  const diagnostics = useMemo(() => (value === '' ? [] : findings.map(toDiagnostic)), [findings, value]);
  const hash = value.trim() === '' ? null : compose_hash;
  return (
    <Box>
      <CodeEditor
        label="docker-compose.yml"
        value={value}
        onChange={onChange}
        readOnly={readOnly}
        line={line}
        height={400}
        diagnostics={diagnostics}
        {...(error === undefined ? {} : { error })}
        placeholder={'services:\n  web:\n    image: nginx:1.27\n    ports:\n      - "80:80"'}
        help="The CVM receives exactly these bytes. Add secrets below and reference them as ${NAME}."
      />
      {value.trim() !== '' && (
        <Findings
          findings={findings}
          pending={pending}
          action={readOnly ? null : before === undefined ? 'deploy' : 'update'}
        />
      )}
      <Hash aria-live="off">
        {before !== undefined && before !== null && (
          <>
            <dt>{beforeLabel}</dt>
            <dd>
              <CopyId id={before} what={`${beforeLabel.toLowerCase()} compose hash`} most={0} />
            </dd>
          </>
        )}
        <dt>{before === undefined ? 'Compose hash' : 'After update'}</dt>
        <dd style={pending ? { opacity: 0.6 } : undefined}>
          {hash === null ? '—' : <CopyId id={hash} what="compose hash" most={0} />}
          {hash !== null && before === hash && !pending && (
            <span style={{ color: color.muted }}> unchanged</span>
          )}
        </dd>
      </Hash>
    </Box>
  );
}

/** Findings about secrets are shown at the secrets table, where they can be fixed. */
const inFile = (findings: readonly Finding[]) => findings.filter(({ code }) => code !== 'secret_unused');

const toDiagnostic = ({ line, column, severity, message, explain }: Finding): Diagnostic => ({
  line,
  column,
  severity,
  message: `${message} ${explain}`,
});

function Findings({
  findings,
  pending,
  action,
}: {
  findings: readonly Finding[];
  pending: boolean;
  /** The action the user is allowed to take; null if none. */
  action: 'deploy' | 'update' | null;
}) {
  const count = (severity: Finding['severity']) => findings.filter((one) => one.severity === severity).length;
  const [errors, warnings, infos] = [count('error'), count('warning'), count('info')];
  const parts = [words(errors, 'error'), words(warnings, 'warning'), words(infos, 'hint')].filter(Boolean);
  const ink = errors > 0 ? color.errorText : warnings > 0 ? color.attentionText : color.okText;
  return (
    <Summary role="status">
      <span style={{ color: ink, display: 'inline-flex', fontSize: 14 }}>
        <Glyph name={errors > 0 ? 'cross' : warnings > 0 ? 'warning' : 'check'} />
      </span>
      {pending
        ? 'Checking…'
        : parts.length === 0
          ? 'Valid for Docker Compose.'
          : `${parts.join(', ')}.${action === null ? '' : errors > 0 ? ` Fix the errors before you ${action}.` : ` You can still ${action}.`}`}
    </Summary>
  );
}

const words = (n: number, noun: string) => (n === 0 ? '' : `${n} ${noun}${n === 1 ? '' : 's'}`);
