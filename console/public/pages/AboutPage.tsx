import { PUBLIC_PATHS } from '../../lib/public/site';
import { Cards, Hero, Section, Table } from '../parts';
import { PageLink } from '../siteContext';
import site from '../site.module.css';

const CHECKS: readonly [check: string, proves: string][] = [
  [
    'Quote signature',
    'A genuine processor signed the measurements, with a certificate chain that ends at the vendor’s root.',
  ],
  [
    'TCB status',
    'How current the processor’s firmware is according to its vendor, and which known vulnerabilities affect it.',
  ],
  ['Event log', 'Replaying the boot events step by step gives the measured registers.'],
  ['Compose hash', 'The Compose file shown is the one that was measured, byte for byte.'],
  ['OS image', 'The guest’s kernel and root file system are those of a known image.'],
  ['Key service', 'The app’s keys came from the key service you expect, identified by its root key.'],
  [
    'Certificate',
    'The guest’s certificate contains a quote, and the quote covers the certificate’s key. You’re talking to the verified guest only if the connection uses that key.',
  ],
];

const LIMITS = [
  'That the code has no bugs. Verification shows which code is running, not whether it’s correct.',
  'That an image was built from its published source. Reproducible builds show that.',
  'That the app is available. The operator of a host can always turn it off.',
  'That the processor has no undiscovered vulnerabilities. Confidential computing trusts its vendor.',
];

export function AboutPage() {
  return (
    <>
      <Hero
        title="A cloud that can’t read what it runs"
        lead="Ordinary clouds ask you to trust their administrators. A confidential cloud replaces that trust with measurements that the processor signs and anyone can check."
      />
      <Section title="How a deployment works">
        <Cards
          items={[
            {
              number: '1',
              title: 'The browser prepares',
              text: 'It parses the Compose file, computes its hash, verifies the key service’s signature on the app’s public key, and encrypts the environment.',
            },
            {
              number: '2',
              title: 'The host boots',
              text: 'A TEE host starts a VM with encrypted memory. Firmware, kernel, OS image and Compose hash are measured in that order.',
            },
            {
              number: '3',
              title: 'The key service decides',
              text: 'It verifies the VM’s quote and releases the app’s keys only to the measured app. The environment is decrypted inside.',
            },
            {
              number: '4',
              title: 'The guest proves',
              text: 'Quotes, event log and certificates are available at any time, in the console and through the API.',
            },
          ]}
        />
      </Section>
      <Section
        title="What verification checks"
        lead="The same verifier runs in the browser and offline, as teehouse attest."
      >
        <Table label="Checks">
          <thead>
            <tr>
              <th scope="col">Check</th>
              <th scope="col">What it shows</th>
            </tr>
          </thead>
          <tbody>
            {CHECKS.map(([check, proves]) => (
              <tr key={check}>
                <th scope="row">{check}</th>
                <td>{proves}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      </Section>
      <Section title="What it doesn’t prove">
        <div className={site.prose}>
          <ul>
            {LIMITS.map((limit) => (
              <li key={limit}>{limit}</li>
            ))}
          </ul>
        </div>
      </Section>
      <Section title="Who can see what">
        <Table label="Who can see what">
          <thead>
            <tr>
              <th scope="col">Data</th>
              <th scope="col">Your team</th>
              <th scope="col">This cloud</th>
              <th scope="col">Everyone</th>
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">Environment values</th>
              <td>Only the member who entered them</td>
              <td>No</td>
              <td>No</td>
            </tr>
            <tr>
              <th scope="row">Memory and disks</th>
              <td>No</td>
              <td>No</td>
              <td>No</td>
            </tr>
            <tr>
              <th scope="row">Compose file</th>
              <td>Yes</td>
              <td>Yes</td>
              <td>If you publish the app</td>
            </tr>
            <tr>
              <th scope="row">Container logs</th>
              <td>If you make them public</td>
              <td>If you make them public</td>
              <td>If you make them public</td>
            </tr>
          </tbody>
        </Table>
        <p>
          <PageLink href={PUBLIC_PATHS.cases}>See what others build</PageLink>
        </p>
      </Section>
    </>
  );
}
