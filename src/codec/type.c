/* Look-ups in compiled schemas: all by binary search over orders that the compiler made. */
#include <string.h>

#include "codec/sort.h"
#include "codec/table.h"

size_t spc_schema_size(const spc_schema *schema) {
  return schema->size;
}

static const void *type_symbol(const spc_schema *schema, spc__symbol_kind kind, const char *name,
                               size_t length) {
  const spc__symbol *symbols = SPC__AT(spc__symbol, schema, schema->symbols);
  uint32_t low = 0, high = schema->symbol_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    const spc__symbol *s = &symbols[middle];
    int order = spc__compare_names(SPC__AT(char, s, s->name), s->name_length, name, length);
    if (order == 0) return s->kind == kind ? SPC__AT(uint8_t, s, s->object) : NULL;
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return NULL;
}

const spc_message_type *spc_schema_message(const spc_schema *schema, const char *name,
                                           size_t name_length) {
  return (const spc_message_type *)type_symbol(schema, SPC__SYMBOL_MESSAGE, name, name_length);
}

const spc_enum_type *spc_schema_enum(const spc_schema *schema, const char *name,
                                     size_t name_length) {
  return (const spc_enum_type *)type_symbol(schema, SPC__SYMBOL_ENUM, name, name_length);
}

const spc_field *spc_schema_extension(const spc_schema *schema, const char *name,
                                      size_t name_length) {
  return (const spc_field *)type_symbol(schema, SPC__SYMBOL_EXTENSION, name, name_length);
}

uint32_t spc_schema_message_count(const spc_schema *schema) {
  return schema->message_count;
}

const spc_message_type *spc_schema_message_at(const spc_schema *schema, uint32_t index) {
  if (index >= schema->message_count) return NULL;
  return SPC__AT(spc_message_type, schema, SPC__AT(int32_t, schema, schema->messages)[index]);
}

spc_message_type_info spc_message_type_describe(const spc_message_type *type) {
  return (spc_message_type_info){.name = SPC__AT(char, type, type->name),
                                 .name_length = type->name_length,
                                 .record_size = type->size,
                                 .hasbit_count = type->bit_count,
                                 .extensions_offset = type->extension_slot,
                                 .field_count = type->field_count,
                                 .oneof_count = type->oneof_count,
                                 .map_entry = (type->flags & SPC__MAP_ENTRY) != 0};
}

const spc_field *spc_message_type_field(const spc_message_type *type, uint32_t index) {
  return index < type->field_count ? spc__field_at(type, index + 1) : NULL;
}

const spc_field *spc__find_sparse(const spc_message_type *type, uint32_t number) {
  uint32_t low = 1, high = type->field_count + 1u;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2, found = spc__number(spc__field_at(type, middle));
    if (found == number) return spc__field_at(type, middle);
    if (found < number)
      low = middle + 1;
    else
      high = middle;
  }
  return spc__field_at(type, 0);
}

const spc_field *spc_message_type_by_number(const spc_message_type *type, uint32_t number) {
  const spc_field *f = spc__find(type, number);
  if (f->kind == SPC__NO_FIELD && type->extensions != 0)
    f = spc__find(spc__extensions(type), number);
  return f->kind == SPC__NO_FIELD ? NULL : f;
}

static const spc_field *type_named(const spc_message_type *type, const char *name, size_t length,
                                   bool json) {
  const uint16_t *order = SPC__AT(uint16_t, type, json ? type->by_json_name : type->by_name);
  uint32_t low = 0, high = type->field_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    const spc_field *f = spc__field_at(type, order[middle]);
    const spc__field_info *info = spc__info(f);
    const char *own = SPC__AT(char, info, json ? info->json_name : info->name);
    size_t own_length = json ? info->json_name_length : info->name_length;
    int compared = spc__compare_names(own, own_length, name, length);
    if (compared == 0) return f;
    if (compared < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return NULL;
}

const spc_field *spc_message_type_by_name(const spc_message_type *type, const char *name,
                                          size_t name_length) {
  return type_named(type, name, name_length, false);
}

const spc_field *spc_message_type_by_json_name(const spc_message_type *type, const char *name,
                                               size_t name_length) {
  return type_named(type, name, name_length, true);
}

const spc_message_type *spc_message_type_extensions(const spc_message_type *type) {
  return type->extensions == 0 || (type->flags & SPC__EXTENSIONS) != 0 ? NULL
                                                                       : spc__extensions(type);
}

spc_field_info spc_field_describe(const spc_field *field) {
  const spc__field_info *info = spc__info(field);
  bool message = spc__is_message(field);
  return (spc_field_info){
      .name = SPC__AT(char, info, info->name),
      .json_name = SPC__AT(char, info, info->json_name),
      .name_length = info->name_length,
      .json_name_length = info->json_name_length,
      .number = spc__number(field),
      .type = (spc_field_type)field->type,
      .offset = field->offset,
      .case_offset = (field->flags & SPC__ONEOF) != 0 ? field->case_offset : 0,
      .bit = spc__has_bit(field),
      .case_value = (field->flags & SPC__ONEOF) != 0 ? field->case_value : 0,
      .element_size = spc__element_size(field),
      .repeated = (field->flags & SPC__REPEATED) != 0,
      .map = (field->flags & SPC__MAP) != 0,
      .packed = (field->flags & SPC__PACKED) != 0,
      .explicit_presence = (field->flags & SPC__EXPLICIT) != 0,
      .required = (field->flags & SPC__REQUIRED) != 0,
      .utf8 = field->type == SPC_TYPE_STRING && (field->flags & SPC__UTF8) != 0,
      .extension = info->extension_name != 0,
      .message = message ? spc__sub_message(field) : NULL,
      .enumeration = field->type == SPC_TYPE_ENUM ? spc__sub_enum(field) : NULL,
      .owner = SPC__AT(spc_message_type, info, info->owner),
      .default_value = info->default_value,
      .default_bytes = info->default_data == 0 ? NULL : SPC__AT(uint8_t, info, info->default_data),
      .default_length = info->default_length};
}

const char *spc_message_type_oneof(const spc_message_type *type, uint32_t index,
                                   uint32_t *case_offset) {
  if (index >= type->oneof_count) return NULL;
  const spc__oneof *oneof = SPC__AT(spc__oneof, type, type->oneofs) + index;
  *case_offset = oneof->case_offset;
  return SPC__AT(char, oneof, oneof->name);
}

/* The first value that is not below the number, as an index. */
static uint32_t type_value_index(const spc_enum_type *type, int32_t number) {
  const spc__enum_value *values = SPC__AT(spc__enum_value, type, type->values);
  uint32_t low = 0, high = type->value_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (values[middle].number < number)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

bool spc__enum_has(const spc_enum_type *type, int32_t number) {
  if (number >= 0 && number < 64) return (type->low_values >> number & 1) != 0;
  uint32_t i = type_value_index(type, number);
  return i < type->value_count && SPC__AT(spc__enum_value, type, type->values)[i].number == number;
}

const char *spc_enum_type_name(const spc_enum_type *type) {
  return SPC__AT(char, type, type->name);
}

const char *spc_enum_type_value_name(const spc_enum_type *type, int32_t number,
                                     uint32_t *name_length) {
  uint32_t i = type_value_index(type, number);
  const spc__enum_value *value = SPC__AT(spc__enum_value, type, type->values) + i;
  if (i == type->value_count || value->number != number) return NULL;
  *name_length = value->name_length;
  return SPC__AT(char, value, value->name);
}

bool spc_enum_type_value_number(const spc_enum_type *type, const char *name, size_t name_length,
                                int32_t *number) {
  const spc__enum_value *values = SPC__AT(spc__enum_value, type, type->values);
  const uint32_t *order = SPC__AT(uint32_t, type, type->by_name);
  uint32_t low = 0, high = type->value_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    const spc__enum_value *v = &values[order[middle]];
    int compared = spc__compare_names(SPC__AT(char, v, v->name), v->name_length, name, name_length);
    if (compared == 0) {
      *number = v->number;
      return true;
    }
    if (compared < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return false;
}

bool spc_enum_type_closed(const spc_enum_type *type) {
  return type->closed != 0;
}
