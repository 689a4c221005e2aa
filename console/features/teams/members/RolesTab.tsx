import CheckIcon from 'lucide-react/icons/check';
import MinusIcon from 'lucide-react/icons/minus';
import styled from '@emotion/styled';
import { useState } from 'react';
import type { TeamRole } from '../../../../generated/api/types.gen';
import { useTeam } from '../../../api/session';
import { roleName, roleSentence, TEAM_ROLES } from '../../../api/roles';
import { EmptyState } from '../../../ui/feedback/EmptyState';
import { TextInput } from '../../../ui/forms/TextInput';
import { Panel } from '../../../ui/layout/Panel';
import { Sections } from '../../../ui/layout/Sections';
import { color, radius, space, type } from '../../../ui/theme';
import { VisuallyHidden } from '../../../ui/VisuallyHidden';
import { findRows, permissionRows, type PermissionRow } from './matrix';

const Roles = styled('dl')({
  display: 'grid',
  gap: space(3),
  gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 280px), 1fr))',
});
const Role = styled('div')({
  border: `1px solid ${color.line}`,
  borderRadius: radius.panel,
  padding: space(3),
  '&[data-mine]': { borderColor: color.accent, backgroundColor: color.selected },
});
const Name = styled('dt')({ ...type.body, fontWeight: 600 });
const Sentence = styled('dd')({ ...type.small, color: color.muted });
const Search = styled('div')({ maxWidth: 320, marginBottom: space(4) });
const Frame = styled('div')({ overflowX: 'auto', containerType: 'inline-size' });
const Table = styled('table')({
  ...type.small,
  width: '100%',
  borderCollapse: 'separate',
  borderSpacing: 0,
  '& th, & td': { padding: `${space(2)} ${space(2)}`, borderBottom: `1px solid ${color.line}` },
  '& thead th': { ...type.caption, color: color.muted, fontWeight: 550, textAlign: 'center' },
  '& thead th:first-of-type, & tbody th': { textAlign: 'left', paddingLeft: 0, fontWeight: 400 },
  '& td': { textAlign: 'center' },
  '& [data-mine]': { backgroundColor: color.selected },
  '& thead [data-mine]': { color: color.text, fontWeight: 650 },
  '& svg': { fontSize: 16, verticalAlign: 'middle' },
  // Letters instead of words keep five columns within a phone's width.
  '@container (max-width: 560px)': {
    '& th, & td': { padding: `${space(2)} ${space(1)}` },
    '& [data-long]': { display: 'none' },
    '& [data-short]': { display: 'inline' },
    '& [data-scope]': { display: 'none' },
  },
});
const Short = styled('span')({ display: 'none' });
const Code = styled('code')({ ...type.mono, color: color.muted, whiteSpace: 'nowrap' });
const Faint = styled('span')({ color: color.faint });

/** Lists what each role can do, from the server's own permission table. */
export function RolesTab({ teamSlug }: { teamSlug: string }) {
  const { role: mine } = useTeam(teamSlug);
  const [query, setQuery] = useState('');
  const rows = findRows(permissionRows, query);
  return (
    <Sections>
      <Panel title="Roles" untitled>
        <Roles>
          {TEAM_ROLES.map((role) => (
            <Role key={role} data-mine={role === mine || undefined}>
              <Name>
                {roleName(role)}
                {role === mine && ' (you)'}
              </Name>
              <Sentence>{roleSentence(role)}</Sentence>
            </Role>
          ))}
        </Roles>
      </Panel>
      <Panel
        title="Permissions by role"
        subtitle="The server enforces this table. A token can do what both its scopes and its owner’s role allow."
      >
        <Search>
          <TextInput
            label="Search"
            type="search"
            placeholder="logs, delete, invite…"
            maxLength={100}
            value={query}
            onChange={(event) => setQuery(event.target.value)}
          />
        </Search>
        {rows.length === 0 ? (
          <EmptyState picture="search" title="No matches">
            No permission matches this search.
          </EmptyState>
        ) : (
          <Matrix rows={rows} mine={mine} />
        )}
      </Panel>
    </Sections>
  );
}

function Matrix({ rows, mine }: { rows: readonly PermissionRow[]; mine: TeamRole }) {
  return (
    <Frame>
      <Table>
        <caption>
          <VisuallyHidden>Permissions by role</VisuallyHidden>
        </caption>
        <thead>
          <tr>
            <th scope="col">Permission</th>
            {TEAM_ROLES.map((role) => (
              <th key={role} scope="col" data-mine={role === mine || undefined}>
                <VisuallyHidden>{roleName(role)}</VisuallyHidden>
                <span data-long aria-hidden>
                  {roleName(role)}
                </span>
                <Short data-short aria-hidden>
                  {roleName(role).charAt(0)}
                </Short>
              </th>
            ))}
            <th scope="col" data-scope>
              Token scope
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ permission, what, roles, scope }) => (
            <tr key={permission}>
              <th scope="row">{what}</th>
              {TEAM_ROLES.map((role) => (
                <td key={role} data-mine={role === mine || undefined}>
                  <Allowed yes={roles.has(role)} />
                </td>
              ))}
              <td data-scope>{scope === null ? <Faint>no token</Faint> : <Code>{scope}</Code>}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Frame>
  );
}

function Allowed({ yes }: { yes: boolean }) {
  return yes ? (
    <>
      <CheckIcon aria-hidden style={{ color: color.okText }} />
      <VisuallyHidden>yes</VisuallyHidden>
    </>
  ) : (
    <>
      <MinusIcon aria-hidden style={{ color: color.faint }} />
      <VisuallyHidden>no</VisuallyHidden>
    </>
  );
}
