import { Island } from '../islands/Island';
import { VerifyFile } from '../islands/VerifyFile';
import { Code, Hero, Section } from '../parts';
import site from '../site.module.css';

const COMMAND = `npm run -s teehouse -- attest my-app.evidence.json --policy my-app.policy.json
echo $?   # 0: verified`;

export function VerifyPage() {
  return (
    <>
      <Hero
        title="Verify it yourself"
        lead="Open an evidence file or a bare TDX quote, and the policy file with the values you expect. Both are checked in this browser and not uploaded."
      />
      <Section title="Your files">
        <Island name="verifyFile" props={{}}>
          <VerifyFile />
        </Island>
      </Section>
      <Section
        title="Without this page"
        lead="The same verifier is also a command that works offline, without this server."
      >
        <Code text={COMMAND} label="Commands" />
        <div className={site.prose}>
          <p>
            Run it in a checkout of this software’s source on a machine with Node.js; the README explains the
            setup. Evidence and policy files come from an app’s page in the explorer or from the Certificates
            tab of a CVM. A policy lists the values you expect: review it, or write your own.
          </p>
        </div>
      </Section>
    </>
  );
}
