import CopyIcon from 'lucide-react/icons/copy';
import FileTextIcon from 'lucide-react/icons/file-text';
import BrainIcon from 'lucide-react/icons/brain';
import PlugIcon from 'lucide-react/icons/plug';
import BotIcon from 'lucide-react/icons/bot';
import SquareTerminalIcon from 'lucide-react/icons/square-terminal';
import LightbulbIcon from 'lucide-react/icons/lightbulb';
import LayoutTemplateIcon from 'lucide-react/icons/layout-template';
import FileUpIcon from 'lucide-react/icons/file-up';
import styled from '@emotion/styled';
import type { ComponentType } from 'react';
import { useMayDeploy, useSession, useTeam } from '../../../api/session';
import { deployPath, modelDeployPath } from '../../../lib/paths';
import { startWayNames } from '../../../lib/apps/startWays';
import { Notice } from '../../../ui/feedback/Notice';
import { PageHeader } from '../../../ui/layout/PageHeader';
import { Link } from '../../../ui/link';
import { below, color, focusRing, motion, radius, space, type } from '../../../ui/theme';
import { AgentOption } from './AgentOption';
import { CaseOption } from './CaseOption';
import { CliOption } from './CliOption';
import { CopyOption } from './CopyOption';
import { ImportOption } from './ImportOption';
import { TeamTemplates } from './TeamTemplates';
import { TemplateOption } from './TemplateOption';
import { launchHref, type LaunchSearch, type Start, type LaunchOption } from './search';

const Cards = styled('ul')({
  display: 'grid',
  gap: space(3),
  gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 260px), 1fr))',
  marginBottom: space(8),
});
const Card = styled(Link)({
  display: 'grid',
  gridTemplateColumns: '24px minmax(0, 1fr)',
  columnGap: space(3),
  height: '100%',
  padding: space(4),
  border: `1px solid ${color.control}`,
  borderRadius: radius.panel,
  color: color.text,
  textDecoration: 'none',
  transition: `border-color ${motion.fast}, background-color ${motion.fast}`,
  '&:hover': { backgroundColor: color.hover },
  '&:focus-visible': focusRing,
  '&[aria-current="true"]': {
    borderColor: color.accent,
    boxShadow: `inset 0 0 0 1px ${color.accent}`,
    backgroundColor: color.selected,
  },
  '& svg': { fontSize: 22, color: color.muted },
});
const Name = styled('span')({ ...type.body, fontWeight: 600, display: 'block' });
const Text = styled('span')({
  ...type.small,
  color: color.muted,
  display: 'block',
  marginTop: space(0.5),
  // Once an option is selected, its form matters more than the other descriptions.
  '[data-chosen] &': { [below.phone]: { display: 'none' } },
});

interface Props {
  teamSlug: string;
  search: LaunchSearch;
  /** The page's current URL; it has two. */
  base: string;
  /** Fills in the deploy form and opens it. */
  onStart: (start: Start) => void;
}

/** The launch options. Each one prefills the deploy form, where everything can still be changed. */
export function LaunchPage({ teamSlug, search, base, onStart }: Props) {
  const team = useTeam(teamSlug);
  const may = useMayDeploy(teamSlug);
  const { agent_framework } = useSession().environment;
  const props = { teamSlug, start: onStart, blockedReason: may.reason };
  const here = (way: LaunchOption) => ({ href: launchHref(base, { way }), current: search.way === way });
  const options: [
    to: { href: string; current?: boolean },
    Icon: ComponentType,
    name: string,
    text: string,
  ][] = [
    [
      { href: deployPath(teamSlug) },
      FileTextIcon,
      startWayNames.compose,
      'Write or paste docker-compose.yml and deploy it.',
    ],
    [
      here('import'),
      FileUpIcon,
      startWayNames.import,
      'A Compose file and, optionally, a .env file of secrets.',
    ],
    [
      here('template'),
      LayoutTemplateIcon,
      startWayNames.template,
      'A database, AI tool or other service, set up in a form.',
    ],
    [
      { href: modelDeployPath(teamSlug) },
      BrainIcon,
      startWayNames.model,
      'An open model behind your own API.',
    ],
    [
      here('mcp'),
      PlugIcon,
      startWayNames.mcp,
      'Tools for assistants, from a template or your own, protected by a key generated in your browser.',
    ],
    [
      here('agent'),
      BotIcon,
      startWayNames.agent,
      `A character and a Compose file to run it with ${agent_framework}.`,
    ],
    [here('copy'), CopyIcon, startWayNames.copy, 'Start from its Compose file, size and secret names.'],
    [here('case'), LightbulbIcon, startWayNames.case, 'Start from a Compose file for a specific purpose.'],
    [here('cli'), SquareTerminalIcon, startWayNames.cli, 'Deploy to this server from a terminal or CI.'],
  ];
  return (
    <>
      <PageHeader title="Launch" subtitle={`Deploy to a confidential VM in ${team.name}.`} />
      {may.reason !== undefined && (
        <div style={{ marginBottom: 16 }}>
          <Notice tone="attention">{may.reason}</Notice>
        </div>
      )}
      <nav aria-label="Launch options" {...(search.way === undefined ? {} : { 'data-chosen': true })}>
        <Cards>
          {options.map(([{ href, current }, Icon, name, text]) => (
            <li key={name}>
              <Card href={href} aria-current={current ? 'true' : undefined}>
                <Icon />
                <span>
                  <Name>{name}</Name>
                  <Text>{text}</Text>
                </span>
              </Card>
            </li>
          ))}
        </Cards>
      </nav>
      {search.way === undefined && <TeamTemplates teamSlug={teamSlug} base={base} />}
      {search.way === 'import' && <ImportOption {...props} />}
      {(search.way === 'template' || search.way === 'mcp') && (
        <TemplateOption key={search.way} {...props} base={base} way={search.way} id={search.template} />
      )}
      {search.way === 'agent' && <AgentOption {...props} />}
      {search.way === 'copy' && <CopyOption {...props} base={base} app={search.app} />}
      {search.way === 'case' && <CaseOption {...props} base={base} slug={search.case} />}
      {search.way === 'cli' && <CliOption />}
    </>
  );
}
