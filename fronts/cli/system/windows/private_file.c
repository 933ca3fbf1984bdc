/* private_file.c - see private_file.h: what the folder allows to others is not
 * inherited, and the user may do everything. */
#include "system/windows/private_file.h"

#include "base/windows/handle.h"

/* A list of rights with one row, and what it points to. */
typedef struct rights {
    SECURITY_DESCRIPTOR all;
    union {
        TOKEN_USER user;
        BYTE bytes[sizeof(TOKEN_USER) + SECURITY_MAX_SID_SIZE];
    } who;
    union {
        ACL list;
        BYTE bytes[sizeof(ACL) + sizeof(ACCESS_ALLOWED_ACE) +
                   SECURITY_MAX_SID_SIZE];
    } rows;
} rights;

#define RIGHTS (FILE_GENERIC_READ | FILE_GENERIC_WRITE | DELETE)

static bool find_user(rights *out)
{
    HANDLE token;
    DWORD used;
    if (!OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &token))
        return false;
    bool is_found = GetTokenInformation(token, TokenUser, &out->who,
                                        sizeof out->who, &used) != 0;
    CloseHandle(token);
    return is_found;
}

static bool make_rights(rights *out)
{
    return find_user(out) &&
           InitializeAcl(&out->rows.list, sizeof out->rows, ACL_REVISION) &&
           AddAccessAllowedAce(&out->rows.list, ACL_REVISION, RIGHTS,
                               out->who.user.User.Sid) &&
           InitializeSecurityDescriptor(&out->all,
                                        SECURITY_DESCRIPTOR_REVISION) &&
           SetSecurityDescriptorDacl(&out->all, TRUE, &out->rows.list, FALSE) &&
           SetSecurityDescriptorControl(&out->all, SE_DACL_PROTECTED,
                                        SE_DACL_PROTECTED);
}

int private_file_open(const char *path)
{
    wchar_t wide[SS_WIDE_PATH_MAX];
    rights own;
    if (!ss_windows_path(wide, path))
        return -1;
    if (!make_rights(&own))
        return ss_windows_fail();
    SECURITY_ATTRIBUTES attributes = {.nLength = sizeof attributes,
                                      .lpSecurityDescriptor = &own.all};
    DWORD share = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
    HANDLE made = CreateFileW(wide, GENERIC_WRITE, share, &attributes,
                              CREATE_NEW, FILE_ATTRIBUTE_NORMAL, NULL);
    if (made == INVALID_HANDLE_VALUE)
        return ss_windows_fail();
    return _open_osfhandle((intptr_t)made, _O_WRONLY | _O_BINARY);
}
