import { ConfigError, loadConfig, type Config } from '../config';
import {
  checkAgentFramework,
  checkClock,
  checkDatabase,
  checkHosts,
  checkKms,
  type Checked,
} from './checks/database';
import {
  checkDisk,
  checkDocker,
  checkMail,
  checkNode,
  checkPublicUrl,
  checkSecret,
  checkTraces,
} from './checks/machine';
import { fail, findingLines, ok, warn, type Finding } from './checks/finding';
import { checkLocalTeepod, checkRegistration } from './checks/accounts';
import { withDatabase } from './database';
import { EXIT, type Cli } from './io';
import { parseOptions } from './options';
import { readRecord } from '../db/core/postgres/place';

/**
 * Checks everything the server needs and advises on each problem. Exits with failure only if something doesn't work.
 */
export async function doctorCommand(cli: Cli, args: string[]): Promise<number> {
  parseOptions(args, {});
  let failed = false;
  const show = (findings: Finding[]) => {
    for (const finding of findings) {
      failed ||= finding.level === 'fail';
      for (const line of findingLines(finding)) cli.out(line);
    }
  };
  const { config, findings } = readConfig(cli);
  show(findings);
  if (!config) return EXIT.config;
  show([checkNode(process.versions.node), checkPublicUrl(config)]);
  show([await checkSecret(config), await checkDisk(config)]);
  show(await databaseFindings(cli, config));
  show([await checkDocker(config), await checkMail(config), await checkTraces(config)]);
  return failed ? EXIT.failed : EXIT.ok;
}

function readConfig(cli: Cli): { config: Config | null; findings: Finding[] } {
  try {
    const config = loadConfig(cli.env);
    const warnings = config.warnings.map((text) => warn('configuration', text));
    return {
      config,
      findings: warnings.length > 0 ? warnings : [ok('configuration', 'every variable is valid')],
    };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const findings = error.problems.map(({ variable, value, expected }) =>
      fail('configuration', `${variable}=${value}`, `Set it to ${expected}.`),
    );
    return { config: null, findings };
  }
}

async function databaseFindings(cli: Cli, config: Config): Promise<Finding[]> {
  if (!config.databaseUrl && !(await readRecord(config.dataDir)))
    return [ok('database', `none in ${config.dataDir} yet; the first start creates it`)];
  const began = Date.now();
  try {
    return await withDatabase(
      cli,
      'doctor',
      async ({ database }) => {
        const checked: Checked = { config, database, opened_ms: Date.now() - began };
        const first = await checkDatabase(checked);
        if (first.level === 'fail') return [first];
        return [
          first,
          await checkClock(checked),
          ...(await checkHosts(checked)),
          ...(await checkKms(checked)),
          await checkRegistration(checked),
          ...(await checkLocalTeepod(checked)),
          ...(await checkAgentFramework(checked)),
        ];
      },
      { upToDate: false },
    );
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return [
      fail(
        'database',
        text,
        config.databaseUrl
          ? 'Check DATABASE_URL, and that PostgreSQL is running and accepts connections from this machine.'
          : `See ${config.dataDir}/postgres.log.`,
      ),
    ];
  }
}
