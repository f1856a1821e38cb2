// Files that come into being whole.
#include <sfpu/analysis/output_file.h>
#include <sfpu/analysis/text_files.h>

#include <gtest/gtest.h>

#include <filesystem>

namespace sfpu::analysis {
namespace {

namespace fs = std::filesystem;

/// A folder of its own for each test.
class output_files : public testing::Test {
protected:
    output_files() {
        std::string pattern = (fs::temp_directory_path() / "sfpu-files-XXXXXX").string();
        folder = mkdtemp(pattern.data());
    }
    ~output_files() override { fs::remove_all(folder); }

    std::string path(const std::string& name) const { return (folder / name).string(); }
    std::size_t count() const {
        return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {}));
    }

    fs::path folder;
};

TEST_F(output_files, appear_with_commit_and_not_before) {
    {
        output_file file(path("a"));
        file.stream() << "new";
        EXPECT_FALSE(fs::exists(path("a")));
        file.commit();
        EXPECT_EQ(read_file(path("a")), "new");
    }
    EXPECT_EQ(count(), 1u);
}

TEST_F(output_files, that_are_not_committed_leave_what_was_there_and_nothing_else) {
    write_file(path("a"), "old");
    {
        output_file file(path("a"));
        file.stream() << "half";
    }
    EXPECT_EQ(read_file(path("a")), "old");
    EXPECT_EQ(count(), 1u);
}

TEST_F(output_files, go_where_a_symbolic_link_points) {
    write_file(path("target"), "old");
    fs::create_symlink("target", folder / "link");
    write_file(path("link"), "new");
    EXPECT_TRUE(fs::is_symlink(path("link")));
    EXPECT_EQ(read_file(path("target")), "new");
}

TEST_F(output_files, two_do_not_go_to_one_file) {
    write_file(path("a"), "old");
    output_file first(path("a"));
    EXPECT_THROW(output_file{path("./a")}, user_error);
}

TEST_F(output_files, nowhere_is_no_file_and_an_impossible_place_is_refused) {
    EXPECT_FALSE(output_file{}.is_wanted());
    EXPECT_FALSE(output_file{""}.is_wanted());
    EXPECT_THROW(output_file{path("missing/a")}, user_error);
    EXPECT_THROW(read_file(path("missing")), user_error);
}

TEST_F(output_files, what_a_killed_process_left_is_removed) {
    write_file(path("a"), "whole");
    remove_unfinished(path("a"));
    EXPECT_EQ(read_file(path("a")), "whole");
}

TEST_F(output_files, larger_inputs_than_are_meant_are_refused) {
    write_file(path("a"), std::string(3u << 20, 'x'));
    EXPECT_EQ(read_input(path("a"), 4u << 20).size(), 3u << 20);
    EXPECT_THROW(read_input(path("a"), 2u << 20), user_error);
}

/// The last test: a file that is made later may be given the number of one that was read.
TEST_F(output_files, do_not_replace_what_was_read_whatever_its_name) {
    write_file(path("input"), "data");
    fs::create_hard_link(path("input"), path("same"));
    EXPECT_EQ(read_input(path("input")), "data");
    EXPECT_THROW(output_file{path("input")}, user_error);
    EXPECT_THROW(output_file{path("same")}, user_error);
    EXPECT_NO_THROW(output_file{path("other")});
    EXPECT_EQ(read_file(path("input")), "data");
}

} // namespace
} // namespace sfpu::analysis
