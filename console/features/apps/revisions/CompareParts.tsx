import styled from '@emotion/styled';
import type { AppRevisionDetail } from '../../../../generated/api/types.gen';
import { CopyId } from '../../../ui/data/CopyId';
import { below, color, radius, space, type } from '../../../ui/theme';
import { factsOf, imagesOf, type ImageSide, type NameChange } from './differences';

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
  // Both revisions fit on a phone: "Changed" moves below the row's name.
  [below.phone]: {
    tableLayout: 'fixed',
    '& th, & td': { padding: `${space(1.5)} ${space(2)}`, overflowWrap: 'anywhere' },
    '& thead th, & tbody th': { whiteSpace: 'normal' },
    '& thead th:last-of-type, & td:last-of-type': { display: 'none' },
  },
});
const ChangedOnPhone = styled('span')({
  display: 'none',
  color: color.text,
  fontWeight: 550,
  [below.phone]: { display: 'block' },
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
    <thead>
      <tr>
        <th scope="col">{first}</th>
        <th scope="col">Revision {before.revision_number}</th>
        <th scope="col">Revision {after.revision_number}</th>
        <th scope="col">
          <Muted>Changed</Muted>
        </th>
      </tr>
    </thead>
  );
}

export function Facts({ before, after }: Props) {
  return (
    <Scroll tabIndex={0} role="region" aria-label="Summary of both revisions">
      <Table>
        <Sides before={before} after={after} first="What" />
        <tbody>
          {factsOf(before, after).map((row) => (
            <tr key={row.label} data-changed={row.changed}>
              <th scope="row">
                {row.label}
                {row.changed && <ChangedOnPhone>Changed</ChangedOnPhone>}
              </th>
              <td>
                {row.label === 'Compose hash' ? <CopyId id={row.before} what="compose hash" /> : row.before}
              </td>
              <td>
                {row.label === 'Compose hash' ? <CopyId id={row.after} what="compose hash" /> : row.after}
              </td>
              <td>{row.changed ? 'yes' : <Muted>no</Muted>}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Scroll>
  );
}

export function Names({ names, same }: { names: readonly NameChange[]; same: readonly string[] }) {
  if (names.length === 0)
    return (
      <Text>
        {same.length === 0
          ? 'None in either revision.'
          : same.length === 1
            ? 'The same name in both.'
            : `The same ${same.length} names in both.`}
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
  if (rows.length === 0) return <Text>Neither compose file specifies an image.</Text>;
  return (
    <Scroll tabIndex={0} role="region" aria-label="Images in both revisions">
      <Table>
        <Sides before={before} after={after} first="Service" />
        <tbody>
          {rows.map((row) => (
            <tr key={row.service} data-changed={row.changed}>
              <th scope="row">
                {row.service}
                {row.changed && <ChangedOnPhone>Changed</ChangedOnPhone>}
              </th>
              <td>
                <Side side={row.before} />
              </td>
              <td>
                <Side side={row.after} />
              </td>
              <td>{row.changed ? 'yes' : <Muted>no</Muted>}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Scroll>
  );
}

function Side({ side }: { side: ImageSide | null }) {
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
            {side.pinned ? 'in the compose file' : 'ran, not pinned'}
          </>
        )}
      </Muted>
    </>
  );
}
