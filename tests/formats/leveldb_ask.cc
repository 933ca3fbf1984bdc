// leveldb_ask.cc - what LevelDB's own filter policy answers for keys:
//
//     leveldb_ask FILE [OFFSET LENGTH]... < keys
//
// OFFSET and LENGTH are those of a filter in FILE. For each line of standard
// input it prints the numbers of the filters that may have it, from 0 on.
#include <leveldb/filter_policy.h>
#include <leveldb/slice.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    std::ifstream file(argv[1], std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)),
                            std::istreambuf_iterator<char>());
    std::vector<leveldb::Slice> filters;
    for (int i = 2; i + 1 < argc; i += 2) {
        const size_t offset = std::strtoull(argv[i], nullptr, 10);
        const size_t length = std::strtoull(argv[i + 1], nullptr, 10);
        if (offset > bytes.size() || length > bytes.size() - offset)
            return 2;
        filters.emplace_back(bytes.data() + offset, length);
    }
    const std::unique_ptr<const leveldb::FilterPolicy> policy(
        leveldb::NewBloomFilterPolicy(10));
    std::string key;
    while (std::getline(std::cin, key)) {
        const char *comma = "";
        for (size_t i = 0; i < filters.size(); i++) {
            if (policy->KeyMayMatch(key, filters[i])) {
                std::printf("%s%zu", comma, i);
                comma = ",";
            }
        }
        std::printf("\n");
    }
    return 0;
}
