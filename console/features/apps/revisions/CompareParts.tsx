import styled from '@emotion/styled';
import type { AppRevisionDetail } from '../../../../generated/api/types.gen';
import { ownValue } from '../../../lib/ownValue';
import { CopyId } from '../../../ui/data/CopyId';
import { below, color, radius, space, type } from '../../../ui/theme';
import { factsOf, imagesOf, type ImageSide, type NameChange, type StatedValue } from './differences';

const Scroll = styled('div')({
  overflowX: 'auto',
  border: `1px solid ${color.line}`,
  borderRadius: radius.panel,
});
const Table = styled('table')({
  ...type.small,
  width: '100%',
  borderCollapse: 'collapse',
  '& th, & td': {
    textAlign: 'left',
    verticalAlign: 'top',
    padding: `${space(1.5)} ${space(3)}`,
    borderBottom: `1px solid ${color.line}`,
  },
  // Headings stay whole beside a digest of 64 digits.
  '& td': { overflowWrap: 'anywhere' },
  '& tr:last-of-type > *': { borderBottom: 0 },
  '& thead th': { color: color.muted, fontWeight: 550, whiteSpace: 'nowrap' },
  '& tbody th': { fontWeight: 400, color: color.muted, whiteSpace: 'nowrap' },
  '& tr[data-changed="true"] td': { fontWeight: 550 },
  // On a phone, a row's name stands above its two values, each of which gets half the screen.
  [below.phone]: {
    display: 'block',
    '& thead, & tbody': { display: 'block' },
    '& tr': {
      display: 'grid',
      gridTemplateColumns: 'repeat(2, minmax(0, 1fr))',
      padding: `${space(1.5)} 0`,
      borderBottom: `1px solid ${color.line}`,
    },
    '& tbody tr:last-of-type': { borderBottom: 0 },
    '& th, & td': { padding: `${space(0.5)} ${space(3)}`, borderBottom: 0, overflowWrap: 'anywhere' },
    '& tbody th': { gridColumn: '1 / -1', whiteSpace: 'normal' },
    '& thead th:first-of-type, & thead th:last-of-type, & td:last-of-type': {
      display: 'none',
    },
  },
});
// The roles match the elements; they are explicit because `display` on phones would drop them.
const Head = styled('thead')({});
const Body = styled('tbody')({});
const Row = styled('tr')({});
const Heading = styled('th')({});
const Cell = styled('td')({});
const ChangedOnPhone = styled('span')({
  display: 'none',
  color: color.text,
  fontWeight: 550,
  [below.phone]: { display: 'inline' },
});
const Mono = styled('span')({ ...type.mono, overflowWrap: 'anywhere' });
const Muted = styled('span')({ color: color.muted, fontWeight: 400 });
const List = styled('ul')({ ...type.body, display: 'grid', gap: space(1) });
const Text = styled('p')({ ...type.body, color: color.muted });

interface Props {
  before: AppRevisionDetail;
  after: AppRevisionDetail;
}

function Sides({ before, after, first }: Props & { first: string }) {
  return (
    <Head role="rowgroup">
      <Row role="row">
        <Heading role="columnheader" scope="col">
          {first}
        </Heading>
        <Heading role="columnheader" scope="col">
          Revision {before.revision_number}
        </Heading>
        <Heading role="columnheader" scope="col">
          Revision {after.revision_number}
        </Heading>
        <Heading role="columnheader" scope="col">
          <Muted>Changed</Muted>
        </Heading>
      </Row>
    </Head>
  );
}

export function Facts({ before, after }: Props) {
  return (
    <Scroll tabIndex={0} role="region" aria-label="Summary of both revisions">
      <Table role="table">
        <Sides before={before} after={after} first="Item" />
        <Body role="rowgroup">
          {factsOf(before, after).map((row) => (
            <Row key={row.label} role="row" data-changed={row.changed}>
              <Heading role="rowheader" scope="row">
                {row.label}
                {row.changed && <ChangedOnPhone> · changed</ChangedOnPhone>}
              </Heading>
              <Cell role="cell">
                <Stated what={row.label} value={row.before} />
              </Cell>
              <Cell role="cell">
                <Stated what={row.label} value={row.after} />
              </Cell>
              <Cell role="cell">{row.changed ? 'yes' : <Muted>no</Muted>}</Cell>
            </Row>
          ))}
        </Body>
      </Table>
    </Scroll>
  );
}

const ID_NAMES: Readonly<Partial<Record<string, string>>> = {
  'Compose hash': 'compose hash',
  'OS image': 'OS image hash',
  KMS: 'KMS ID',
};

/** IDs are shortened: the ends are enough to distinguish them, and one click copies the full ID. */
export function Stated({ what, value: { text, id } }: { what: string; value: StatedValue }) {
  if (text === undefined && id === undefined) return '—';
  return (
    <>
      {text}
      {text !== undefined && id !== undefined && ' '}
      {id !== undefined && <CopyId id={id} what={ownValue(ID_NAMES, what) ?? 'ID'} />}
    </>
  );
}

export function Names({ names, same }: { names: readonly NameChange[]; same: readonly string[] }) {
  if (names.length === 0)
    return (
      <Text>
        {same.length === 0
          ? 'None in either revision.'
          : same.length === 1
            ? 'Same name in both.'
            : `Same ${same.length} names in both.`}
      </Text>
    );
  return (
    <List>
      {names.map(({ name, kind }) => (
        <li key={name}>
          {kind === 'added' ? 'Added' : 'Removed'}: <Mono>{name}</Mono>
        </li>
      ))}
      {same.length > 0 && (
        <li>
          <Muted>{same.length} more in both.</Muted>
        </li>
      )}
    </List>
  );
}

export function Images({ before, after }: Props) {
  const rows = imagesOf(before, after);
  if (rows.length === 0) return <Text>Neither Compose file specifies an image.</Text>;
  return (
    <Scroll tabIndex={0} role="region" aria-label="Images in both revisions">
      <Table role="table">
        <Sides before={before} after={after} first="Service" />
        <Body role="rowgroup">
          {rows.map((row) => (
            <Row key={row.service} role="row" data-changed={row.changed}>
              <Heading role="rowheader" scope="row">
                {row.service}
                {row.changed && <ChangedOnPhone> · changed</ChangedOnPhone>}
              </Heading>
              <Cell role="cell">
                <Side side={row.before} />
              </Cell>
              <Cell role="cell">
                <Side side={row.after} />
              </Cell>
              <Cell role="cell">{row.changed ? 'yes' : <Muted>no</Muted>}</Cell>
            </Row>
          ))}
        </Body>
      </Table>
    </Scroll>
  );
}

export function Side({ side }: { side: ImageSide | null }) {
  if (!side) return <Muted>not present</Muted>;
  return (
    <>
      <Mono>{side.image}</Mono>
      <br />
      <Muted>
        {side.digest === null ? (
          'unknown digest'
        ) : (
          <>
            <CopyId id={side.digest} what="digest" />{' '}
            {side.pinned ? 'in the Compose file' : 'as run, not pinned'}
          </>
        )}
      </Muted>
    </>
  );
}
