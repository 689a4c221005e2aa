import { Button } from '../../../ui/controls/Button';
import styled from '@emotion/styled';
import { useEffect, useRef } from 'react';
import { parseDotenv } from '../../../lib/compose/dotenv';
import { validateEnv } from '../../../lib/compose/envRules';
import { CopyButton } from '../../../ui/controls/CopyButton';
import { FieldError } from '../../../ui/forms/Field';
import { counted } from '../../../lib/texts/count';
import { generatedRows, newRow, type SecretRow } from '../../../ui/forms/secrets';
import { SecretsTable } from '../../../ui/forms/SecretsTable';
import { Notice } from '../../../ui/feedback/Notice';
import { color, space, type } from '../../../ui/theme';
import type { ComposeAnalysis } from '../../../lib/compose/composeFile';
import { envOf } from './form';

const Box = styled('div')({ display: 'grid', gap: space(2), minWidth: 0 });
const Text = styled('p')({ ...type.small, color: color.muted, maxWidth: '72ch' });
const Names = styled('span')({ ...type.mono, overflowWrap: 'anywhere' });

interface Props {
  intro: string;
  rows: readonly SecretRow[];
  onChange: (rows: SecretRow[]) => void;
  analysis: ComposeAnalysis | null;
  error?: string | undefined;
  disabled?: boolean;
}

const parseEnv = (text: string) => {
  const { pairs, problems } = parseDotenv(text);
  return { entries: pairs, errors: problems };
};

/** The secrets table, with findings about mismatches with the compose file. */
export function SecretsSection({ intro, rows, onChange, analysis, error, disabled = false }: Props) {
  const missing = missingNames(analysis, rows);
  const unused = analysis?.unusedSecrets ?? [];
  const known = rows.filter(({ kept, replaced }) => !kept || replaced);
  const warnings = validateEnv(envOf(known)).filter(({ code }) => code === 'env_value_backslash');
  const box = useRef<HTMLDivElement>(null);
  const wanted = useRef<string | null>(null);
  // The button disappears with its notice; the first new name needs a value next. The new row may come a render later.
  useEffect(() => {
    if (wanted.current === null) return;
    const label = `Value of ${wanted.current}`;
    const fields = [...(box.current?.querySelectorAll('textarea') ?? [])];
    const field = fields.find((one) => one.getAttribute('aria-label') === label);
    if (!field) return;
    wanted.current = null;
    field.focus();
  });
  const add = () => {
    wanted.current = missing[0] ?? null;
    onChange([
      ...rows.filter(({ key, value }) => key !== '' || value !== ''),
      ...missing.map((name) => newRow(name)),
    ]);
  };
  return (
    <Box ref={box}>
      <Text>{intro}</Text>
      <SecretsTable rows={rows} onChange={onChange} parseEnv={parseEnv} disabled={disabled} />
      <GeneratedValues rows={generatedRows(rows)} />
      {error !== undefined && <FieldError id="secrets-error">{error}</FieldError>}
      {missing.length > 0 && (
        <Notice
          tone="attention"
          action={
            <Button size="small" onClick={add} disabled={disabled} style={{ flex: 'none' }}>
              {missing.length === 1 ? 'Add variable' : `Add all ${missing.length}`}
            </Button>
          }
        >
          The Compose file uses {missing.length === 1 ? 'a variable' : `${missing.length} variables`} without
          a value: <Names>{shortList(missing)}</Names>
        </Notice>
      )}
      {unused.length > 0 && (
        <Notice tone="neutral">
          No container uses <Names>{shortList(unused)}</Names>. Reference{' '}
          {unused.length === 1 ? 'it' : 'each'} as {'${NAME}'} in the Compose file or remove it.
        </Notice>
      )}
      {warnings[0] && (
        <Notice tone="attention">
          {warnings[0].message}
          {warnings.length > 1 &&
            ` ${counted(warnings.length - 1, ['other value contains', 'other values contain'])} a backslash too.`}
        </Notice>
      )}
    </Box>
  );
}

/** Values generated in this browser: once sealed, they can't be shown again. */
function GeneratedValues({ rows }: { rows: readonly SecretRow[] }) {
  if (rows.length === 0) return null;
  return (
    <Notice
      tone="attention"
      title={
        rows.length === 1
          ? 'Copy the generated value before you deploy.'
          : 'Copy the generated values before you deploy.'
      }
      action={rows.map(({ id, key, value }) => (
        <CopyButton key={id} labelled text={value} what={key} />
      ))}
    >
      This browser generated <Names>{shortList(rows.map(({ key }) => key))}</Names>. Deploying encrypts
      secrets for the CVM, and they can’t be read back afterward.
    </Notice>
  );
}

const shortList = (names: readonly string[]) =>
  names.length <= 8 ? names.join(', ') : `${names.slice(0, 8).join(', ')} and ${names.length - 8} more`;

/** Variables in the file with neither a secret nor a default. */
function missingNames(analysis: ComposeAnalysis | null, rows: readonly SecretRow[]): string[] {
  const named = new Set(rows.map(({ key }) => key));
  return (analysis?.variables ?? [])
    .filter(({ name, default: fallback }) => fallback === undefined && !named.has(name))
    .map(({ name }) => name);
}
