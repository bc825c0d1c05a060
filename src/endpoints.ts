/** Every operation of the service on one screen, in the order that the documents show them. */
import { contactRoutes } from "./crm/contacts/contact.routes.ts";
import { noteRoutes } from "./crm/notes/note.routes.ts";
import { tagRoutes } from "./crm/tags/tag.routes.ts";
import type { Endpoint } from "./http/endpoint.ts";
import { locationRoutes } from "./tenancy/locations/location.routes.ts";
import { userRoutes } from "./tenancy/users/user.routes.ts";

export const endpoints: readonly Endpoint[] = [
  ...locationRoutes,
  ...contactRoutes,
  ...noteRoutes,
  ...tagRoutes,
  ...userRoutes,
];
