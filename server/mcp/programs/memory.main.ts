import { openDoor, optionsFrom } from '../door';
import { serviceOf } from '../service';
import { memoryServer } from './memory';

/** Bundled into the Compose file of the template mcp-memory. */
const options = optionsFrom(process.env);
openDoor(serviceOf(await memoryServer('/data')), options);
