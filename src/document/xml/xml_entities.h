/* document/xml/xml_entities.h - entities that an XML file declares for itself (XML 1.0, section 4.2). */
#ifndef PARDUP_DOCUMENT_XML_ENTITIES_H
#define PARDUP_DOCUMENT_XML_ENTITIES_H

#include <stdbool.h>
#include <stddef.h>

#include "pardup/base/bytes.h"
#include "pardup/base/vec.h"

/* An entity; name and value lie in the document type declaration. */
struct pd_xml_entity {
    const unsigned char *name, *value;
    size_t name_n, value_n;
    bool open; /* it is being expanded */
};
PD_VEC(pd_xml_entities, struct pd_xml_entity);

/*
 * Append the entities with values that the document type declaration from s to `end` has, by name.
 * Entities of other files, entities for declarations (%a;) and the five that XML has itself are
 * left out.
 */
void pd_xml_entities_read(const unsigned char *s, const unsigned char *end,
                          struct pd_xml_entities *entities);

/*
 * Append the XML from s to `end` to `out`, with the values of entities in place of &name;. CDATA
 * and comments stay as they are, and so does a reference inside its own value. At most 1 MiB
 * beyond twice the input is expanded; further references stay. Linear time but for a logarithm.
 */
void pd_xml_entities_expand(struct pd_xml_entities *entities, const unsigned char *s,
                            const unsigned char *end, struct pd_bytes *out);

#endif
