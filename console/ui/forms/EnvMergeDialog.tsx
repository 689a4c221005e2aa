import { Button } from '../controls/Button';
import styled from '@emotion/styled';
import { useMemo, useState } from 'react';
import { color, radius, space, type } from '../theme';
import { DialogActions } from './DialogActions';
import { FormDialog } from './FormDialog';
import { merge, planMerge, type SecretRow } from './secrets';
import { TextArea } from './TextInput';
import { counted } from '../../lib/texts/count';

export interface ParsedEnv {
  entries: { key: string; value: string }[];
  /** Lines that are not `KEY=value`; `line` counts from 1. */
  errors: { line: number; message: string }[];
}

const List = styled('ul')({
  display: 'grid',
  maxHeight: 220,
  overflowY: 'auto',
  border: `1px solid ${color.line}`,
  borderRadius: radius.control,
});
const Line = styled('li')({
  ...type.small,
  display: 'flex',
  justifyContent: 'space-between',
  gap: space(3),
  padding: `${space(1)} ${space(3)}`,
  '&:not(:last-of-type)': { borderBottom: `1px solid ${color.line}` },
});
const Name = styled('code')({ ...type.mono, overflowWrap: 'anywhere' });

const words = { added: 'new', changed: 'replaces the current value', same: 'already the same' };
const inks = { added: color.okText, changed: color.attentionText, same: color.faint };

interface Props {
  initial: string;
  rows: readonly SecretRow[];
  parseEnv: (text: string) => ParsedEnv;
  onMerge: (rows: SecretRow[], count: number) => void;
  onClose: () => void;
}

/** Previews what a pasted .env adds and replaces. Values stay hidden from onlookers. */
export function EnvMergeDialog({ initial, rows, parseEnv, onMerge, onClose }: Props) {
  const [text, setText] = useState(initial);
  const parsed = useMemo(() => parseEnv(text), [parseEnv, text]);
  const plan = useMemo(() => planMerge(rows, parsed.entries), [rows, parsed]);
  const count = plan.filter((line) => line.kind !== 'same').length;
  const fault = parsed.errors[0];
  return (
    <FormDialog open wide onClose={onClose} title="Import from a .env file">
      <TextArea
        label="Contents"
        mono
        rows={7}
        autoFocus
        spellCheck={false}
        autoComplete="off"
        value={text}
        placeholder={'DATABASE_URL=postgres://…\nAPI_KEY=…'}
        error={
          fault &&
          `Line ${fault.line}: ${fault.message}${parsed.errors.length > 1 ? ` (and ${parsed.errors.length - 1} more)` : ''}`
        }
        help="Read in this browser only. Comments and empty lines are skipped."
        onChange={(event) => setText(event.target.value)}
      />
      {plan.length > 0 && (
        <List aria-label="Changes" tabIndex={0}>
          {plan.map((line) => (
            <Line key={line.key}>
              <Name>{line.key}</Name>
              <span style={{ color: inks[line.kind] }}>{words[line.kind]}</span>
            </Line>
          ))}
        </List>
      )}
      <DialogActions onCancel={onClose}>
        <Button
          variant="contained"
          disabled={count === 0 || fault !== undefined}
          onClick={() => onMerge(merge(rows, plan), count)}
        >
          {count === 0 ? 'Nothing to import' : `Import ${counted(count, ['value', 'values'])}`}
        </Button>
      </DialogActions>
    </FormDialog>
  );
}
