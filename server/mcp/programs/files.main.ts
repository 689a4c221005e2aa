import { openDoor, optionsFrom } from '../door';
import { serviceOf } from '../service';
import { filesServer } from './files';

/** Bundled into the Compose file of the template mcp-files. */
const options = optionsFrom(process.env);
openDoor(serviceOf(filesServer('/data')), options);
