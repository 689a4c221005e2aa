import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import { styled } from '@mui/material/styles';
import { useId, useMemo, useState } from 'react';
import { color, radius, space, type } from '../theme';
import { merge, planMerge, type SecretRow } from './secrets';
import { TextArea } from './TextInput';

export interface ParsedEnv {
  entries: { key: string; value: string }[];
  /** Lines that are not `KEY=value`; `line` counts from 1. */
  errors: { line: number; message: string }[];
}

const Body = styled('div')({ display: 'grid', gap: space(4), padding: space(5), minWidth: 0 });
const Title = styled('h2')(type.title);
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
const Row = styled('div')({ display: 'flex', justifyContent: 'flex-end', gap: space(2) });

const words = { added: 'new', changed: 'replaces the current value', same: 'already the same' };
const inks = { added: color.okText, changed: color.attentionText, same: color.faint };

interface Props {
  initial: string;
  rows: readonly SecretRow[];
  parseEnv: (text: string) => ParsedEnv;
  onMerge: (rows: SecretRow[], count: number) => void;
  onClose: () => void;
}

/** Shows what a pasted .env would add and replace before it does. Values are not listed: somebody may look on. */
export function EnvMergeDialog({ initial, rows, parseEnv, onMerge, onClose }: Props) {
  const [text, setText] = useState(initial);
  const id = useId();
  const parsed = useMemo(() => parseEnv(text), [parseEnv, text]);
  const plan = useMemo(() => planMerge(rows, parsed.entries), [rows, parsed]);
  const count = plan.filter((line) => line.kind !== 'same').length;
  const fault = parsed.errors[0];
  return (
    <Dialog open onClose={onClose} maxWidth="sm" fullWidth aria-labelledby={id}>
      <Body>
        <Title id={id}>Take values from a .env file</Title>
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
          <List aria-label="What will change" tabIndex={0}>
            {plan.map((line) => (
              <Line key={line.key}>
                <Name>{line.key}</Name>
                <span style={{ color: inks[line.kind] }}>{words[line.kind]}</span>
              </Line>
            ))}
          </List>
        )}
        <Row>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="contained"
            color="primary"
            disabled={count === 0 || fault !== undefined}
            onClick={() => onMerge(merge(rows, plan), count)}
          >
            {count === 0 ? 'Nothing to take over' : `Take over ${count} ${count === 1 ? 'value' : 'values'}`}
          </Button>
        </Row>
      </Body>
    </Dialog>
  );
}
