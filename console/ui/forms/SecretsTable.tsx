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
  const [pasted, setPasted] = useState<string | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const announce = useAnnounce();
  const faults = rowFaults(rows, checkKey);

  const edit = (row: SecretRow, change: Partial<SecretRow>) =>
    onChange(rows.map((one) => (one.id === row.id ? { ...one, ...change } : one)));
  /** Focuses a row's name once the row is there, or the add button if there are no rows. */
  const focusName = (index: number) =>
    requestAnimationFrame(() =>
      (list.current?.querySelectorAll('input')[index] ?? addButton.current)?.focus(),
    );
  const add = () => {
    onChange([...rows, newRow()]);
    focusName(rows.length);
  };
  const remove = (row: SecretRow, index: number) => {
    onChange(rows.filter((one) => one.id !== row.id));
    announce(`Removed ${nameOf(row, index)}`);
    focusName(Math.max(0, index - 1));
  };
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
        {rows.map((row, index) => (
          <SecretLine
            key={row.id}
            row={row}
            index={index}
            fault={faults.get(row.id)}
            disabled={disabled}
            onEdit={(change) => edit(row, change)}
            onPaste={onPaste}
            onEnter={index === rows.length - 1 ? add : undefined}
            onRemove={() => remove(row, index)}
          />
        ))}
      </ul>
      <Foot>
        <Button
          ref={addButton}
          size="small"
          variant="text"
          startIcon={<PlusIcon />}
          onClick={add}
          disabled={disabled}
        >
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

interface LineProps {
  row: SecretRow;
  index: number;
  /** The name's fault, shown once the user has left the field. */
  fault: string | undefined;
  disabled: boolean;
  onEdit: (change: Partial<SecretRow>) => void;
  onPaste: (event: ClipboardEvent) => void;
  /** Called for Enter in the value; absent if Enter starts a new line. */
  onEnter: (() => void) | undefined;
  onRemove: () => void;
}

function SecretLine({ row, index, fault, disabled, onEdit, onPaste, onEnter, onRemove }: LineProps) {
  const [isTouched, setTouched] = useState(false);
  const [isShown, setShown] = useState(false);
  const id = useId();
  const shownFault = isTouched ? fault : undefined;
  const name = nameOf(row, index);
  const sealed = row.kept === true && row.replaced !== true && row.original === undefined;
  return (
    <Row>
      <Cell>
        <KeyInput
          aria-label={`Name, row ${index + 1}`}
          {...(shownFault === undefined ? {} : { 'aria-invalid': true, 'aria-describedby': id })}
          value={row.key}
          placeholder="NAME"
          readOnly={row.kept === true}
          disabled={disabled}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onPaste={onPaste}
          onChange={(event) => onEdit({ key: event.target.value })}
          onBlur={() => setTouched(true)}
        />
        {shownFault !== undefined && (
          <Fault>
            <FieldError id={id}>{shownFault}</FieldError>
          </Fault>
        )}
      </Cell>
      <Cell>
        <ValueArea
          aria-label={`Value of ${name}`}
          data-masked={!isShown}
          data-1p-ignore
          data-lpignore="true"
          rows={1}
          value={row.value}
          placeholder={sealed ? 'unchanged: type to replace' : 'value'}
          disabled={disabled}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={({ target: { value } }) => onEdit(row.kept ? { value, replaced: true } : { value })}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || !onEnter) return;
            event.preventDefault();
            onEnter();
          }}
        />
      </Cell>
      <Tools>
        <IconAction
          size="small"
          label={isShown ? 'Hide' : 'Show'}
          aria-label={`${isShown ? 'Hide' : 'Show'} value of ${name}`}
          disabled={row.value === ''}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? <EyeOffIcon /> : <EyeIcon />}
        </IconAction>
        <IconAction
          size="small"
          label="Remove"
          aria-label={`Remove ${name}`}
          disabled={disabled}
          onClick={onRemove}
        >
          <Trash2Icon />
        </IconAction>
      </Tools>
    </Row>
  );
}

const nameOf = ({ key }: SecretRow, index: number): string => key || `row ${index + 1}`;
