import { styled } from '@mui/material/styles';
import { useSession } from '../../api/session';
import { CodeBlock } from '../../ui/code/CodeBlock';
import { Panel } from '../../ui/layout/Panel';
import { color, space, type } from '../../ui/theme';
import { commands } from './commands';

const Steps = styled('ol')({
  display: 'grid',
  gap: space(4),
  maxWidth: 720,
  '& > li': { minWidth: 0 },
});
const Text = styled('p')({ ...type.body, color: color.muted, marginBottom: space(1.5) });

/** The published command line, with this server's own address. */
export function CliWay() {
  const { public_url } = useSession().environment;
  const { login, deploy, follow, pipeline } = commands(public_url);
  return (
    <Panel
      title="The command line"
      subtitle="The published phala client works against this server; it needs Node.js."
    >
      <Steps>
        <li>
          <Text>Sign in. A page opens where you compare a code and approve.</Text>
          <CodeBlock title="Sign in" code={login} />
        </li>
        <li>
          <Text>
            Deploy a compose file. Values given with -e are encrypted before they leave your machine.
          </Text>
          <CodeBlock title="Deploy" code={deploy} />
        </li>
        <li>
          <Text>Read its log.</Text>
          <CodeBlock title="Follow the log" code={follow} />
        </li>
        <li>
          <Text>In a pipeline, an API token takes the place of signing in.</Text>
          <CodeBlock title="Pipeline" code={pipeline} />
        </li>
      </Steps>
    </Panel>
  );
}
