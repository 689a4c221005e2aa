import { deployPath } from '../../lib/paths';
import { LinkButton } from '../../ui/controls/LinkButton';
import { PageHeader } from '../../ui/layout/PageHeader';
import { Panel } from '../../ui/layout/Panel';

export function LaunchPage({ teamSlug }: { teamSlug: string }) {
  return (
    <>
      <PageHeader title="Launch" />
      <Panel title="A compose file">
        <LinkButton href={deployPath(teamSlug)}>Deploy</LinkButton>
      </Panel>
    </>
  );
}
