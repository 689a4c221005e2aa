import PlusIcon from 'lucide-react/icons/plus';
import ClipboardPasteIcon from 'lucide-react/icons/clipboard-paste';
import Trash2Icon from 'lucide-react/icons/trash-2';
import EyeOffIcon from 'lucide-react/icons/eye-off';
import EyeIcon from 'lucide-react/icons/eye';
import { Button } from '../controls/Button';
import styled from '@emotion/styled';
import { useId, useRef, useState, type ClipboardEvent } from 'react';
import { useAnnounce } from '../announce';
import { IconAction } from '../controls/IconAction';
import { counted } from '../../lib/texts/count';
import { color, motion, radius, space, type } from '../theme';
import { VisuallyHidden } from '../VisuallyHidden';
import { FieldError } from './Field';
import { EnvMergeDialog, type ParsedEnv } from './EnvMergeDialog';
import { keyFault, looksLikeEnvFile, newRow, rowFaults, type SecretRow } from './secrets';

const Box = styled('div')({
  border: `1px solid ${color.line}`,
  borderRadius: radius.panel,
  overflow: 'hidden',
  containerType: 'inline-size',
});
const Row = styled('li')({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 2fr) minmax(0, 3fr) auto',
  borderBottom: `1px solid ${color.line}`,
  alignItems: 'start',
  '@container (max-width: 480px)': {
    gridTemplateColumns: 'minmax(0, 1fr) auto',
    '& > :nth-of-type(2)': { gridColumn: 1, borderLeft: 0, borderTop: `1px dashed ${color.line}` },
    '& > :last-of-type': { gridColumn: 2, gridRow: 1 },
  },
});
const Head = styled('div')({
  ...type.caption,
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 2fr) minmax(0, 3fr) 64px',
  color: color.muted,
  fontWeight: 550,
  backgroundColor: color.sunken,
  borderBottom: `1px solid ${color.line}`,
  '& > span': { padding: `${space(1.5)} ${space(3)}` },
  '@container (max-width: 480px)': { display: 'none' },
});
const Cell = styled('div')({
  minWidth: 0,
  '&:nth-of-type(2)': { borderLeft: `1px solid ${color.line}` },
  '@container (max-width: 480px)': { '&:nth-of-type(2)': { gridColumn: 1, borderLeft: 0 } },
});
const cellInput = {
  ...type.mono,
  display: 'block',
  width: '100%',
  height: 36,
  margin: 0,
  padding: `${space(2)} ${space(3)}`,
  border: 0,
  color: color.text,
  background: 'none',
  transition: `background-color ${motion.fast}`,
  '&::placeholder': { color: color.faint, opacity: 1 },
  '&:hover': { backgroundColor: color.hover },
  '&:focus-visible': {
    outline: `2px solid ${color.focus}`,
    outlineOffset: '-2px',
    backgroundColor: color.surface,
  },
  '&[aria-invalid]': { boxShadow: `inset 0 0 0 1px ${color.errorSolid}` },
} as const;
const KeyInput = styled('input')(cellInput);
// A textarea, because a password input would silently drop a certificate's line breaks.
const ValueArea = styled('textarea')({
  ...cellInput,
  resize: 'none',
  fieldSizing: 'content',
  minHeight: 36,
  height: 'auto',
  maxHeight: 200,
  '&[data-masked="true"]:not(:placeholder-shown)': {
    WebkitTextSecurity: 'disc',
    whiteSpace: 'nowrap',
    overflow: 'hidden',
    maxHeight: 36,
  },
});
const Tools = styled('div')({
  display: 'flex',
  alignItems: 'center',
  height: 36,
  padding: `0 ${space(1.5)}`,
});
const Fault = styled('div')({ padding: `0 ${space(3)} ${space(2)}` });
const Foot = styled('div')({ display: 'flex', flexWrap: 'wrap', gap: space(1), padding: space(1.5) });

interface Props {
  rows: readonly SecretRow[];
  onChange: (rows: SecretRow[]) => void;
  /** Parses .env text; reports faults instead of guessing. */
  parseEnv: (text: string) => ParsedEnv;
  checkKey?: (key: string) => string | undefined;
  label?: string;
  disabled?: boolean;
}

/**
 * Environment variables that are encrypted before they leave this browser: names in plain text, values masked until
 * revealed.
 */
export function SecretsTable({
  rows,
  onChange,
  parseEnv,
  checkKey = keyFault,
  label = 'Secrets',
  disabled = false,
}: Props) {
  const [shown, setShown] = useState<ReadonlySet<string>>(new Set());
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [pasted, setPasted] = useState<string | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const announce = useAnnounce();
  const id = useId();
  const faults = rowFaults(rows, checkKey);

  const edit = (row: SecretRow, change: Partial<SecretRow>) =>
    onChange(rows.map((one) => (one.id === row.id ? { ...one, ...change } : one)));
  const focusKey = (index: number) =>
    requestAnimationFrame(() => list.current?.querySelectorAll<HTMLInputElement>('input')[index]?.focus());
  const add = () => {
    onChange([...rows, newRow()]);
    focusKey(rows.length);
  };
  const remove = (row: SecretRow, index: number) => {
    onChange(rows.filter((one) => one.id !== row.id));
    announce(`Removed ${row.key || `row ${index + 1}`}`);
    focusKey(Math.max(0, index - 1));
  };
  const toggle = (row: SecretRow) =>
    setShown((before) =>
      before.has(row.id)
        ? new Set([...before].filter((one) => one !== row.id))
        : new Set([...before, row.id]),
    );
  const onPaste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text');
    if (!looksLikeEnvFile(text)) return;
    event.preventDefault();
    setPasted(text);
  };

  return (
    <Box role="group" aria-label={label}>
      <Head aria-hidden>
        <span>Name</span>
        <span>Value</span>
      </Head>
      <ul ref={list}>
        {rows.map((row, index) => {
          const name = row.key || `row ${index + 1}`;
          const fault = touched.has(row.id) ? faults.get(row.id) : undefined;
          const sealed = row.kept === true && row.replaced !== true && row.original === undefined;
          return (
            <Row key={row.id}>
              <Cell>
                <KeyInput
                  aria-label={`Name, row ${index + 1}`}
                  {...(fault !== undefined
                    ? { 'aria-invalid': true, 'aria-describedby': `${id}-${row.id}` }
                    : {})}
                  value={row.key}
                  placeholder="NAME"
                  readOnly={row.kept === true}
                  disabled={disabled}
                  autoComplete="off"
                  autoCapitalize="none"
                  spellCheck={false}
                  onPaste={onPaste}
                  onChange={(event) => edit(row, { key: event.target.value })}
                  onBlur={() => setTouched((before) => new Set([...before, row.id]))}
                />
                {fault !== undefined && (
                  <Fault>
                    <FieldError id={`${id}-${row.id}`}>{fault}</FieldError>
                  </Fault>
                )}
              </Cell>
              <Cell>
                <ValueArea
                  aria-label={`Value of ${name}`}
                  data-masked={!shown.has(row.id)}
                  data-1p-ignore
                  data-lpignore="true"
                  rows={1}
                  value={row.value}
                  placeholder={sealed ? 'unchanged: type to replace' : 'value'}
                  disabled={disabled}
                  autoComplete="off"
                  autoCapitalize="none"
                  spellCheck={false}
                  onChange={(event) =>
                    edit(
                      row,
                      row.kept
                        ? { value: event.target.value, replaced: true }
                        : { value: event.target.value },
                    )
                  }
                  onKeyDown={(event) => {
                    if (event.key !== 'Enter' || event.shiftKey || index !== rows.length - 1) return;
                    event.preventDefault();
                    add();
                  }}
                />
              </Cell>
              <Tools>
                <IconAction
                  size="small"
                  label={shown.has(row.id) ? 'Hide' : 'Show'}
                  aria-label={`${shown.has(row.id) ? 'Hide' : 'Show'} value of ${name}`}
                  disabled={row.value === ''}
                  onClick={() => toggle(row)}
                >
                  {shown.has(row.id) ? <EyeOffIcon /> : <EyeIcon />}
                </IconAction>
                <IconAction
                  size="small"
                  label="Remove"
                  aria-label={`Remove ${name}`}
                  disabled={disabled}
                  onClick={() => remove(row, index)}
                >
                  <Trash2Icon />
                </IconAction>
              </Tools>
            </Row>
          );
        })}
      </ul>
      <Foot>
        <Button size="small" variant="text" startIcon={<PlusIcon />} onClick={add} disabled={disabled}>
          Add
        </Button>
        <Button
          size="small"
          variant="text"
          startIcon={<ClipboardPasteIcon />}
          onClick={() => setPasted('')}
          disabled={disabled}
        >
          Paste .env
        </Button>
        {faults.size > 0 && (
          <VisuallyHidden role="status">
            {counted(faults.size, ['row needs', 'rows need'])} attention
          </VisuallyHidden>
        )}
      </Foot>
      {pasted !== null && (
        <EnvMergeDialog
          initial={pasted}
          rows={rows}
          parseEnv={parseEnv}
          onClose={() => setPasted(null)}
          onMerge={(next, count) => {
            onChange(next);
            setPasted(null);
            announce(`${counted(count, ['value', 'values'])} imported`);
          }}
        />
      )}
    </Box>
  );
}
