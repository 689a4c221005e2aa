import ContentCopyRounded from '@mui/icons-material/ContentCopyRounded';
import DescriptionOutlined from '@mui/icons-material/DescriptionOutlined';
import SmartToyOutlined from '@mui/icons-material/SmartToyOutlined';
import TerminalRounded from '@mui/icons-material/TerminalRounded';
import UploadFileOutlined from '@mui/icons-material/UploadFileOutlined';
import { styled } from '@mui/material/styles';
import { useState, type ComponentType } from 'react';
import { useMayDeploy, useSession, useTeam } from '../../api/session';
import { deployPath } from '../../lib/paths';
import { ConfirmDialog } from '../../ui/feedback/ConfirmDialog';
import { Notice } from '../../ui/feedback/Notice';
import { PageHeader } from '../../ui/layout/PageHeader';
import { Link } from '../../ui/link';
import { below, color, focusRing, motion, radius, space, type } from '../../ui/theme';
import { AgentWay } from './AgentWay';
import { CliWay } from './CliWay';
import { CopyWay } from './CopyWay';
import { ImportWay } from './ImportWay';
import { launchHref, type LaunchSearch, type Start, type Way } from './search';

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
  // With a way chosen, its form matters more than the others' descriptions.
  '[data-chosen] &': { [below.phone]: { display: 'none' } },
});

interface Props {
  teamSlug: string;
  search: LaunchSearch;
  /** The address of this page; it has two. */
  base: string;
  /** Puts this into the deploy form and goes there. */
  onStart: (start: Start) => void;
  /** Whether something is typed there already. */
  hasDraft: boolean;
}

/** How to start: each way ends in the same deploy form, where everything can still be changed. */
export function LaunchPage({ teamSlug, search, base, onStart, hasDraft }: Props) {
  const team = useTeam(teamSlug);
  const may = useMayDeploy(teamSlug);
  const { agent_framework } = useSession().environment;
  const [asking, setAsking] = useState<Start | null>(null);
  const start = (from: Start) => (hasDraft ? setAsking(from) : onStart(from));
  const props = { teamSlug, start, shut: may.reason };
  const ways: [way: Way | undefined, Icon: ComponentType, name: string, text: string][] = [
    [undefined, DescriptionOutlined, 'A compose file', 'Write or paste docker-compose.yml and deploy it.'],
    [
      'import',
      UploadFileOutlined,
      'Files from this computer',
      'A compose file and, if you have one, its .env with the secrets.',
    ],
    ['agent', SmartToyOutlined, 'An agent', `An ${agent_framework} agent with a character of its own.`],
    [
      'copy',
      ContentCopyRounded,
      'An app you have',
      'Begin with its compose file, size and names of secrets.',
    ],
    [
      'cli',
      TerminalRounded,
      'The command line',
      'Deploy from a terminal or a pipeline, against this server.',
    ],
  ];
  return (
    <>
      <PageHeader
        title="Launch"
        subtitle={`How do you want to start? Whatever it is, it runs in a confidential VM of ${team.name}.`}
      />
      {may.reason !== undefined && (
        <div style={{ marginBottom: 16 }}>
          <Notice tone="attention">{may.reason}</Notice>
        </div>
      )}
      <nav aria-label="Ways to start" {...(search.way === undefined ? {} : { 'data-chosen': true })}>
        <Cards>
          {ways.map(([way, Icon, name, text]) => (
            <li key={name}>
              <Card
                href={way === undefined ? deployPath(teamSlug) : launchHref(base, { way })}
                aria-current={way !== undefined && search.way === way ? 'true' : undefined}
              >
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
      {search.way === 'import' && <ImportWay {...props} />}
      {search.way === 'agent' && <AgentWay {...props} />}
      {search.way === 'copy' && <CopyWay {...props} base={base} app={search.app} />}
      {search.way === 'cli' && <CliWay />}
      <ConfirmDialog
        open={asking !== null}
        danger
        title="Replace what is on the deploy page?"
        confirmLabel="Replace"
        effects={['What you typed there, secrets included, is lost.']}
        pending={false}
        problem={null}
        onConfirm={() => asking && onStart(asking)}
        onClose={() => setAsking(null)}
      />
    </>
  );
}
