import styled from '@emotion/styled';
import { useQuery } from '@tanstack/react-query';
import { useTeam } from '../../../api/session';
import { Panel } from '../../../ui/layout/Panel';
import { TextLink } from '../../../ui/link';
import { color, space, type } from '../../../ui/theme';
import { teamTemplatesOptions } from '../templates/teamQueries';
import { launchHref } from './search';

const List = styled('ul')({ ...type.body, display: 'grid', gap: space(3) });
const Text = styled('span')({
  ...type.small,
  display: 'block',
  color: color.muted,
  overflowWrap: 'anywhere',
});

/** The team's own templates; renders nothing if it has none. */
export function TeamTemplates({ teamSlug, base }: { teamSlug: string; base: string }) {
  const team = useTeam(teamSlug);
  const { data = [] } = useQuery(teamTemplatesOptions(teamSlug));
  if (data.length === 0) return null;
  return (
    <Panel title={`${team.name} templates`} subtitle="Saved from apps. Visible to members only.">
      <List>
        {data.map(({ id, name, summary, version }) => (
          <li key={id}>
            <TextLink href={launchHref(base, { way: 'template', template: id })}>{name}</TextLink>
            <Text>
              {summary} Version {version}.
            </Text>
          </li>
        ))}
      </List>
    </Panel>
  );
}
