import { newCharacter, writeCharacter } from '../../lib/agent/character';
import { AGENT_SIZE, agentCompose, agentImage } from '../../lib/agent/compose';
import { formatHourly, formatMonthly } from '../../lib/billing/money';
import { formatMb, typeName } from '../../lib/cvms/sizes';
import { PUBLIC_PATHS, type Offer } from '../../lib/public/site';
import { Cards, Code, Hero, Section } from '../parts';
import { PageLink } from '../siteContext';
import site from '../site.module.css';

const POINTS = [
  {
    title: 'Its keys are its own',
    text: 'API keys and wallet keys are encrypted in your browser to a key that only the enclave has. Neither this cloud nor the host’s operator can act on the agent’s behalf.',
  },
  {
    title: 'Its character is on record',
    text: 'The character is part of the Compose file, whose hash is in the signed quote. Change the character, and the hash changes too.',
  },
  {
    title: 'Its history is public if you publish it',
    text: 'A published agent has a page in the explorer with every revision. Users can verify what they’re talking to, in their own browser.',
  },
];

const STEPS = [
  {
    number: '1',
    title: 'Name it',
    text: 'Launch asks for a name and a model, and writes the Compose file with a starter character. If you choose one of this cloud’s models, it also creates the key and sets the address, so you don’t need another account.',
  },
  {
    number: '2',
    title: 'Deploy it',
    text: 'Add the keys of other providers and platforms, if it needs any, and deploy. Secrets leave your browser encrypted.',
  },
  {
    number: '3',
    title: 'Shape it',
    text: 'Edit the character as a form or as JSON next to the running agent. You see the old and the new compose hash before you apply it.',
  },
];

/** How an agent runs in a confidential VM, with the file that Launch generates. */
export function AgentPage({ framework, offer }: { framework: string; offer: Offer | null }) {
  const example = agentCompose({
    service: framework,
    image: agentImage(framework) ?? `registry.example.com/${framework}:1`,
    json: writeCharacter(newCharacter('Ada')),
    secrets: ['OPENAI_API_KEY'],
  });
  return (
    <>
      <Hero
        title="Agents that can prove who they are"
        lead={`Run an agent built with ${framework} in a confidential VM. Nobody can read its keys or change its character unnoticed, not even the operators of the machine.`}
      >
        <a className={site.button} href="/launch?way=agent">
          Launch an agent
        </a>
        <PageLink className={site.quiet} href={PUBLIC_PATHS.explorer}>
          Published apps
        </PageLink>
      </Hero>
      <Section title="What the enclave adds">
        <Cards items={POINTS} />
      </Section>
      <Section title="From a name to a running agent">
        <Cards items={STEPS} />
      </Section>
      <Section
        title="Generated Compose file"
        lead="You can change everything in it before deploying. Pin the image by digest, so that the hash identifies the code."
      >
        <Code text={example} label="Compose file of an agent" />
      </Section>
      <Section title="Cost">
        <p>
          {offer === null
            ? `An agent needs about ${AGENT_SIZE.vcpu} vCPU and ${formatMb(AGENT_SIZE.memory_mb)} of memory. This cloud doesn’t have a large enough size right now.`
            : `${typeName(offer)}, with ${offer.vcpu} vCPU and ${formatMb(offer.memory_mb)} of memory, costs ${formatHourly(offer.rate_micros)}, about ${formatMonthly(offer.rate_micros)} if the agent never stops. This cloud’s models are billed per token; other providers bill you directly.`}{' '}
          <PageLink href={PUBLIC_PATHS.pricing}>All sizes and a calculator</PageLink>
        </p>
      </Section>
    </>
  );
}
