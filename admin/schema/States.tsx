import styled from '@emotion/styled';
import { StatusChip } from '../../console/ui/feedback/StatusChip';
import { statusInfo } from '../../console/ui/feedback/status';
import { color, space, type } from '../../console/ui/theme';
import type { AdminRecord } from '../record';
import { ownValue } from '../../console/lib/ownValue';
import { headlineStates, statesOf } from './observed';
import type { FieldDescription } from './types';
import { wordOf } from './value';

const Row = styled('span')({
  display: 'inline-flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: `${space(1)} ${space(2.5)}`,
  maxWidth: '100%',
});
const Stack = styled('span')({ display: 'inline-grid', maxWidth: '100%', verticalAlign: 'middle' });
const Others = styled('span')({
  ...type.caption,
  lineHeight: '16px',
  paddingBottom: space(1),
  color: color.attentionText,
  overflow: 'hidden',
  textOverflow: 'ellipsis',
});

interface Props {
  field: FieldDescription;
  record: AdminRecord;
  /** Without a background, for tables. */
  quiet?: boolean;
  /** Whether it is shown in the headline of the record's page. */
  headline?: boolean;
}

/** A record's states as icons and words, the observed one first. */
export function States({ field, record, quiet = false, headline = false }: Props) {
  const [first = '', ...others] = (headline ? headlineStates : statesOf)(field, record);
  const look = (state: string) => ownValue(field.looks ?? {}, state) ?? state;
  const said = (state: string) => wordOf(field, state) ?? statusInfo(look(state)).word;
  if (others.length === 0) return <StatusChip quiet={quiet} status={look(first)} word={said(first)} />;
  const words = others.map(said).join(', ');
  if (quiet)
    return (
      <Stack>
        <StatusChip quiet status={look(first)} word={said(first)} />
        <Others title={words}>{words}</Others>
      </Stack>
    );
  return (
    <Row>
      {[first, ...others].map((state) => (
        <StatusChip key={state} status={look(state)} word={said(state)} />
      ))}
    </Row>
  );
}
