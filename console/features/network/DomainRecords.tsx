import styled from '@emotion/styled';
import type { DomainRecord } from '../../../generated/api/types.gen';
import { CopyButton } from '../../ui/controls/CopyButton';
import { counted } from '../../lib/texts/count';
import { below, color, radius, space, type } from '../../ui/theme';

const Caption = styled('h4')({ ...type.small, fontWeight: 550, marginBottom: space(2) });
const List = styled('ul')({ border: `1px solid ${color.line}`, borderRadius: radius.control });
const Item = styled('li')({
  display: 'grid',
  gridTemplateColumns: '64px minmax(0, 1fr) minmax(0, 1fr)',
  gap: `${space(0.5)} ${space(3)}`,
  alignItems: 'start',
  padding: `${space(2)} ${space(3)}`,
  '& + &': { borderTop: `1px solid ${color.line}` },
  [below.phone]: { gridTemplateColumns: 'minmax(0, 1fr)' },
});
const Kind = styled('span')({ ...type.mono, fontWeight: 600, lineHeight: '28px' });
const Cell = styled('div')({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr) auto',
  gap: space(1),
  alignItems: 'start',
  '& > code': { ...type.mono, overflowWrap: 'anywhere', padding: '4px 0' },
});
const Note = styled('p')({ ...type.caption, color: color.muted, gridColumn: '1 / -1', maxWidth: '78ch' });
const Other = styled('p')({ ...type.caption, color: color.muted, padding: `${space(2)} ${space(3)}` });

/** The records to set at the DNS provider, with copyable parts. */
export function DomainRecords({ records }: { records: readonly DomainRecord[] }) {
  const needed = records.filter(({ required }) => required);
  const others = records.filter(({ required }) => !required);
  return (
    <div>
      <Caption>Records to set in DNS</Caption>
      <List>
        {needed.map((record) => (
          <Record key={`${record.type} ${record.value}`} {...record} />
        ))}
        {others.length > 0 && (
          <li style={{ borderTop: `1px solid ${color.line}` }}>
            <details>
              <Other as="summary" style={{ cursor: 'pointer' }}>
                {counted(others.length, ['optional record', 'optional records'])} (alternatives)
              </Other>
              <ul>
                {others.map((record) => (
                  <Record key={`${record.type} ${record.value}`} {...record} />
                ))}
              </ul>
            </details>
          </li>
        )}
      </List>
    </div>
  );
}

function Record({ type: kind, name, value, note }: DomainRecord) {
  return (
    <Item>
      <Kind>{kind}</Kind>
      <Cell>
        <code>{name}</code>
        <CopyButton text={name} what={`${kind} record name`} />
      </Cell>
      <Cell>
        <code>{value}</code>
        <CopyButton text={value} what={`${kind} record value`} />
      </Cell>
      <Note>{note}</Note>
    </Item>
  );
}
