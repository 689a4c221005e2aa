import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { CvmDetail } from '../../../generated/api/types.gen';
import { useSession } from '../../api/session';
import { findAgents, type Agent } from '../../lib/agent/compose';
import { cvmLink, launchPath, type CvmAddress } from '../../lib/paths';
import { LinkButton } from '../../ui/controls/LinkButton';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { Notice } from '../../ui/feedback/Notice';
import { SelectInput } from '../../ui/forms/SelectInput';
import { Panel } from '../../ui/layout/Panel';
import { TextLink } from '../../ui/link';
import { space, type } from '../../ui/theme';
import { AgentVariables } from './AgentVariables';
import { CharacterEditor } from './CharacterEditor';
import { agentSearch } from './search';

const Stack = styled('div')({ display: 'grid', gap: space(4), minWidth: 0 });
const Picker = styled('div')({ maxWidth: 360 });
const Code = styled('code')(type.mono);

interface Props {
  cvm: CvmDetail;
  address: CvmAddress;
  /** The compose hash with another compose file; null when only the server can tell. */
  hashAfter: (compose: string) => string | null;
}

/** Who the agent is: the character in the compose file, as a form and as JSON. */
export function AgentPage({ cvm, address, hashAfter }: Props) {
  const { agent_framework } = useSession().environment;
  const { service } = agentSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const compose = cvm.compose_file?.docker_compose_file ?? '';
  const agents = findAgents(compose, agent_framework);
  const agent = agents.find((one) => one.service === service) ?? agents[0];
  if (!agent) return <NoAgent framework={agent_framework} address={address} />;
  return (
    <Stack>
      {agents.length > 1 && (
        <Picker>
          <SelectInput
            label="Agent"
            value={agent.service}
            choices={agents.map((one) => ({ value: one.service, label: one.service }))}
            onChange={(event) =>
              void navigate({ to: '.', search: { service: event.target.value }, replace: true })
            }
          />
        </Picker>
      )}
      <Character key={agent.service} {...{ agent, cvm, address, hashAfter }} />
      <AgentVariables agent={agent} address={address} />
    </Stack>
  );
}

function Character({ agent, ...props }: Props & { agent: Agent }) {
  const { cvm, address } = props;
  const [begun, setBegun] = useState(false);
  const { character } = agent;
  const compose = <TextLink href={cvmLink(address, 'compose')}>Compose</TextLink>;
  if (character.state === 'secret')
    return (
      <Panel title={`Character of ${agent.service}`}>
        <Notice tone="neutral" title="Sealed.">
          It is the value of the secret <Code>{character.secret}</Code>, which only the CVM can read: not this
          page, not the server. To change it, give the secret a new value under {compose}.
        </Notice>
      </Panel>
    );
  if (character.state === 'interpolated')
    return (
      <Panel title={`Character of ${agent.service}`}>
        <Notice tone="neutral" title="Partly from variables.">
          Its JSON contains {'${…}'}, which is filled in inside the CVM. Edit it as text under {compose}.
        </Notice>
      </Panel>
    );
  if (character.state === 'readable' || begun) return <CharacterEditor agent={agent} {...props} />;
  return (
    <Panel title={`Character of ${agent.service}`}>
      <EmptyState
        title="Not in the compose file"
        action={<Button onClick={() => setBegun(true)}>Write one here</Button>}
      >
        {cvm.name} runs {agent.image}, with the character that is in the image. One written here is given to
        the service as the environment variable CHARACTER; its start command has to read it.
      </EmptyState>
    </Panel>
  );
}

function NoAgent({ framework, address }: { framework: string; address: CvmAddress }) {
  return (
    <EmptyState
      title="No agent runs here"
      // Staff look at a team that is not theirs: nothing is launched there.
      {...(address.by === 'admin'
        ? {}
        : {
            action: (
              <LinkButton
                href={`${launchPath(address.teamSlug)}?way=agent`}
                variant="contained"
                color="primary"
              >
                Launch an agent
              </LinkButton>
            ),
          })}
      link={{ label: 'Look at the compose file', href: cvmLink(address, 'compose') }}
    >
      A service counts as an agent when its image is called {framework}, or when it is given a character: in
      the environment variable CHARACTER (JSON) or CHARACTER_DATA (base64), or as an inline config.
    </EmptyState>
  );
}
